// trial_bounds: the time that a candidate cannot go below, and the decision that follows from it. A
// part of trial.h.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <utility>

#include "runtime/device/known_kernel.h"
#include "runtime/emulated/lower_bound.h"
#include "runtime/emulated/whole_counts.h"
#include "search/trial/trial.h"

namespace alphasparse {

bool Trial::is_exempt_design(const Subject& subject) const {
  const auto& design = subject.design();
  return design && exempt_.contains(*design);
}

/// 0 where nothing is known.
LowerBound Trial::find_bound(const Designer::Built& built) const {
  const Kernel& kernel = built.kernel;
  if (!kernel.vendor.empty()) return {};
  const LeastWork work = least_work(kernel, built.branches, touched_x_bytes_);
  if (gpu_)
    return modelled_bound(*gpu_, whole_ ? whole_work(work, kernel, *whole_) : work,
                          options_.regime);
  if (kernel.target != Target::cpu) return measured_bound(device_.info(), work, options_.regime);
  LowerBound bound = read_rates_ ? measured_bound(*read_rates_, work) : LowerBound();
  bound.time_us *= bound_ratio_;
  return bound;
}

/// The rates of a CPU's caches and memory, as far as formats of this matrix reach; none where they
/// cannot be measured.
void Trial::learn_rates() {
  const DeviceInfo& info = device_.info();
  if (read_rates_ || info.target != Target::cpu || info.kind != TimeKind::measured) return;
  const auto bytes_most = static_cast<std::int64_t>(
      limits_.csr_bytes_ratio_max * static_cast<double>(csr_bytes(matrix_, options_.dtype)));
  read_rates_ = std::vector<ReadRate>();
  try {
    const auto alone = info.threads > 1 ? open_unchecked_device("cpu:1") : nullptr;
    auto rates = measure_read_rates(alone ? *alone : device_, info.threads, bytes_most);
    if (rates) read_rates_ = std::move(*rates);
  } catch (const Error& error) {
    spdlog::warn("no bounds by read rates: {}", error.what());
  }
}

/// The machine may have been slow when its rates were taken: no bound stays above a measured time,
/// neither this one nor those that follow.
void Trial::hold_bound(Measurement& outcome) {
  if (is_emulated() || !outcome.timing || !outcome.bound_us) return;
  const std::optional<double> least_us = outcome.timing->time_us_min;
  if (!least_us || *least_us >= *outcome.bound_us) return;
  bound_ratio_ *= *least_us / *outcome.bound_us;
  outcome.bound_us = least_us;
}

/// Why it cannot be faster than the best.
std::optional<Failure> Trial::hopeless_reason(const LowerBound& bound, double incumbent_us) const {
  if (!is_hopeless(bound.time_us, incumbent_us, device_.info().kind)) return std::nullopt;
  return Failure{Status::pruned,
                 fmt::format("needs at least {:.1f} us by {}, the best takes {:.1f} us",
                             bound.time_us, bound.cause, incumbent_us)};
}

}  // namespace alphasparse
