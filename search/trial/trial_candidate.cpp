// trial_candidate: one candidate is built, compiled, verified and timed, and settled where a fault
// may have made its outcome. A part of trial.h.
#include <fmt/format.h>

#include <exception>
#include <new>
#include <utility>

#include "base/time_limit.h"
#include "generator/arrays/large_matrix.h"
#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/shared_objects.h"
#include "runtime/system/files/content_key.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/stopwatch.h"
#include "search/trial/candidate.h"

namespace alphasparse {

namespace {

/// Equal where two kernels do the same: code, launches, arrays.
std::string make_content(const Kernel& kernel) {
  ContentKey key;
  key.add(strip(kernel.source));
  key.add(kernel.vendor);
  for (const Launch& launch : kernel.launches)
    key.add(fmt::format("{} {} {}", launch.kernel, launch.blocks, launch.threads));
  for (const Array& array : kernel.arrays) {
    key.add(array.name);
    for_bytes(array, [&](std::span<const std::byte> part) {
      key.add({reinterpret_cast<const char*>(part.data()), part.size()});
    });
  }
  return key.text();
}

/// Notes an exception of a trial: none is a design's fault.
void note_error(const std::exception& error, std::string& text, bool& lacked_memory) {
  const bool is_allocation = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  text = is_allocation ? host_memory_error("it does not hold a design").what() : error.what();
  lacked_memory = is_allocation || dynamic_cast<const HostMemoryError*>(&error) != nullptr;
}

/// Adds the time until its end to the time of a whole trial.
class TrialClock {
 public:
  explicit TrialClock(Measurement& outcome) : outcome_(outcome) {}
  ~TrialClock() { outcome_.trial_us = outcome_.trial_us.value_or(0) + 1e6 * clock_.seconds(); }
  TrialClock(const TrialClock&) = delete;
  TrialClock& operator=(const TrialClock&) = delete;

 private:
  Measurement& outcome_;
  const Stopwatch clock_;
};

}  // namespace

/// Builds it, where that is allowed and not in vain. One that the deadline ends is as if it had not
/// begun.
void Trial::prepare(Designer& designer, Candidate& candidate, const Deadline& deadline,
                    double incumbent_us) {
  const TrialClock clock(candidate.outcome);
  const TimeLimit::IsOver is_over = [&] { return deadline.over(); };
  const TimeLimit limit(&is_over);
  try {
    if (matrix_.nnz() > large_nnz) release_freed_memory();
    Result<Designer::Built> built = build(designer, candidate.subject, candidate.outcome);
    std::optional<Failure> reason;
    if (!built) {
      reason = built.failure();
    } else {
      reason = prohibition(built->kernel);
      const LowerBound bound = find_bound(*built);
      if (bound.time_us > 0) candidate.outcome.bound_us = bound.time_us;
      if (!reason && !is_exempt_design(candidate.subject))
        reason = hopeless_reason(bound, incumbent_us);
    }
    if (reason) return fail(candidate.outcome, *reason);
    candidate.whole = size_whole(built->branches);
    built->branches.clear();
    candidate.takes_any_values = fixed_values_reason(built->kernel).empty();
    candidate.content = make_content(built->kernel);
    candidate.kernel = std::move(built->kernel);
  } catch (const TimeOver&) {  // without a kernel or a fault it has no outcome
  } catch (const std::exception& error) {
    note_error(error, candidate.error, candidate.lacked_memory);
  }
}

/// Puts a compiled kernel where loading finds it.
void Trial::compile(Candidate& candidate) const {
  const TrialClock clock(candidate.outcome);
  const Kernel& kernel = *candidate.kernel;
  const DeviceInfo& info = device_.info();
  if (!kernel.vendor.empty()) return;
  try {
    if (kernel.target == Target::cpu) {
      (void)compile_cpu_kernel_cached(kernel, info);
    } else {
      (void)compile_cached(kernel.source, info.arch, {}, info.compiler_library);
    }
  } catch (const std::exception&) {  // the load will tell it
  }
}

/// A kernel with a modelled time that cannot win is not verified. A named design is spared that on
/// the whole matrix, because the best known format needs a verified time.
void Trial::verify_and_time(Candidate& candidate, double incumbent_us) {
  Kernel& kernel = *candidate.kernel;
  Measurement& outcome = candidate.outcome;
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(kernel, outcome);
  if (!loaded) return fail(outcome, loaded.failure());
  give_up_entries(kernel, **loaded);
  TimingRequest request(options_.regime, incumbent_us);
  request.whole = candidate.whole;
  const auto time = [&] { return time_undisturbed(kernel, **loaded, request); };
  std::optional<Result<Timing>> timing;
  if (is_emulated() && (incumbent_us > 0 || request.whole)) {  // a fraction of verifying
    timing = time();
    const bool is_exempt = is_exempt_design(candidate.subject);
    const bool is_costly = matrix_.nnz() > large_nnz && !is_exempt;
    const double most_us = (is_costly ? 1 : unverified_times_best) * incumbent_us;
    if (!request.whole && *timing && (*timing)->time_us > most_us) {
      outcome.bound_us = (*timing)->time_us;
      return fail(outcome, {Status::pruned,
                            fmt::format("takes {:.1f} us by its counts, the best {:.1f} us: not "
                                        "worth verifying",
                                        (*timing)->time_us, incumbent_us)});
    }
  }
  if (!request.whole) {
    const auto verified = verification_.verify(kernel, **loaded);
    if (!verified) return fail(outcome, verified.failure());
    outcome.verified = true;
  }
  if (!timing) timing = time();
  if (*timing) {
    outcome.timing = std::move(**timing);
    outcome.unsettled = outcome.timing->disturbed;
    outcome.counted = request.whole.has_value();
  } else if (is_emulated() && !request.whole && timing->failure().status != Status::compile_error) {
    // right, but not modelled
    outcome.reason = timing->reason();
  } else {
    fail(outcome, timing->failure());
  }
  if (*timing && !is_emulated()) {  // a GPU may go wrong under load
    const auto again = verification_.verify_rounded(kernel, **loaded);
    if (!again) fail(outcome, again.failure());
  }
}

void Trial::try_candidate(Candidate& candidate, double incumbent_us) {
  const TrialClock clock(candidate.outcome);
  try {
    verify_and_time(candidate, incumbent_us);
    hold_bound(candidate.outcome);
    candidate.is_done = true;
  } catch (const std::exception& error) {
    note_error(error, candidate.error, candidate.lacked_memory);
  }
  candidate.kernel.reset();
}

/// A verdict on a design takes a device that works, and of a doubtful one a second look. Not done
/// afterwards: the deadline had passed, and the stop may have broken the trial too.
void Trial::decide(Candidate& candidate, const Deadline& deadline, double incumbent_us) {
  candidate.is_done = false;
  const auto is_open = [&] { return !candidate.error.empty() && !deadline.over(); };
  if (deadline.over()) return;
  const bool repeats = candidate.outcome.status != Status::timeout || is_open();
  if (candidate.outcome.status != Status::compile_error || is_open()) check(deadline);
  candidate.is_done = !repeats;
  if (!repeats) return;
  const std::optional<double> trial_us = candidate.outcome.trial_us;
  const std::string content = candidate.content;
  candidate = {candidate.subject};
  candidate.content = content;
  candidate.outcome.design = candidate.subject.name();
  candidate.outcome.trial_us = trial_us;
  prepare(designers_.front(), candidate, deadline, incumbent_us);
  if (candidate.kernel)
    try_candidate(candidate, incumbent_us);
  else
    candidate.is_done = candidate.error.empty() && candidate.outcome.status != Status::ok;
  if (!is_open()) return;
  check(deadline);
  fail(candidate.outcome, {Status::pruned, candidate.error});
  candidate.outcome.unsettled = true;
  candidate.is_done = true;
}

}  // namespace alphasparse
