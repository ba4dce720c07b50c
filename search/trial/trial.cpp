#include "search/trial/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "generator/arrays/large_matrix.h"
#include "generator/arrays/long_vectors.h"
#include "operators/compact_passes.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/columns.h"
#include "runtime/device/known_kernel.h"
#include "runtime/emulated/lower_bound.h"
#include "runtime/emulated/whole_counts.h"
#include "runtime/system/machine/cores.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

/// A format this much larger than CSR cannot win, however it is read. For a large matrix, which
/// memory feeds, twice CSR cannot win either: building it takes some 12 bytes for each position.
double format_growth_max(const Matrix& matrix) { return matrix.nnz() > large_nnz ? 2 : 12; }

constexpr int short_samples = 3;

constexpr int probe_builds_max = 8;

bool rounds(const Kernel& kernel) {
  return std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                     [](const Array& array) { return array.rounded; });
}

/// Every worker has a designer with the stores that it keeps. It holds a kernel, a copy in transit,
/// the results of its cases, and the memory of a compiler.
std::int64_t worker_bytes(const Matrix& matrix) {
  // 25 to 40 were measured of the named designs; formats with pads take more.
  constexpr std::int64_t candidate_bytes = 80, compiler_bytes = 256 << 20;
  return Designer::kept_bytes(matrix) +
         candidate_bytes * (matrix.nnz() + 2 * std::int64_t{matrix.rows}) + compiler_bytes;
}

/// The limit is memory.
std::size_t count_workers(const Matrix& matrix, std::size_t threads) {
  if (has_long_vectors(matrix) || matrix.nnz() > large_nnz) return 1;
  const auto by_memory = static_cast<std::size_t>(
      std::max<std::int64_t>(1, available_memory_bytes() / 2 / worker_bytes(matrix)));
  const std::size_t most = threads == 0 ? machine_threads() : std::min(threads, machine_threads());
  return std::min(most, by_memory);
}

bool has_designs_built_beside(const Matrix& matrix, const DeviceInfo& device) {
  const bool on_gpu = device.kind == TimeKind::measured && device.target == Target::gpu;
  return on_gpu && matrix.nnz() > large_nnz && !has_long_vectors(matrix) &&
         2 * worker_bytes(matrix) <= available_memory_bytes();
}

}  // namespace

void fail(Measurement& outcome, const Failure& failure) {
  outcome.status = failure.status;
  outcome.reason = failure.reason;
  outcome.verified = false;
  outcome.unsettled = false;
  outcome.timing.reset();
}

Trial::Trial(const Matrix& matrix, Device& device, const TuneOptions& options, std::size_t threads)
    : matrix_(matrix),
      device_(device),
      options_(options),
      verification_(matrix),
      workers_(count_workers(matrix, threads)),
      builds_beside_(has_designs_built_beside(matrix, device.info())),
      gpu_(choose_gpu_model(device.info())),
      touched_x_bytes_(touched_x_bytes(matrix, options.dtype)),
      designers_(workers_ + 1, Designer(matrix)) {
  limits_.csr_bytes_ratio_max = format_growth_max(matrix);
}

Trial::~Trial() = default;

/// An algorithm of the vendor has no stores.
Result<Designer::Built> Trial::build(Designer& designer, const Subject& subject,
                                     Measurement& facts) {
  const Stopwatch clock;
  facts.design = subject.name();
  const auto known = [&](Result<Designer::Built> built) {
    if (!built) return built;
    facts.convert_us = 1e6 * clock.seconds();
    facts.format_bytes = built->kernel.format_bytes();
    return built;
  };
  if (const auto& design = subject.design())
    return known(designer.build_whole(*design, options_.operands(device_.info().dialect), limits_));
  Result<Kernel> kernel = baseline_kernel(*subject.baseline(), matrix_, options_.operands());
  if (!kernel) return kernel.failure();
  return known(Designer::Built{std::move(*kernel), {}});
}

Result<std::unique_ptr<LoadedKernel>> Trial::load(const Kernel& kernel, Measurement& facts) {
  const Stopwatch clock;
  auto loaded = device_.load(kernel);
  if (loaded) facts.load_us = 1e6 * clock.seconds();
  return loaded;
}

Result<std::unique_ptr<ReadyKernel>> Trial::load(const Subject& subject, Measurement& facts) {
  Result<Designer::Built> built = build(designers_.front(), subject, facts);
  if (!built) return built.failure();
  auto ready = std::make_unique<ReadyKernel>(ReadyKernel{std::move(built->kernel), nullptr});
  built->branches.clear();
  ready->kernel.list_pads = nullptr;  // its cases have no Inf
  const Stopwatch clock;
  make_bytes(ready->kernel);  // before it loses the sources
  if (facts.convert_us) *facts.convert_us += 1e6 * clock.seconds();
  for (Array& array : ready->kernel.arrays) {  // a few of these are held at once
    if (!array.rounded) std::vector<std::int32_t>().swap(array.value_source);
  }
  auto loaded = load(ready->kernel, facts);
  if (!loaded) return loaded.failure();
  ready->loaded = std::move(*loaded);
  give_up_entries(ready->kernel, *ready->loaded);
  return ready;
}

SpmvCase Trial::timed_input(const Kernel& kernel) {
  return with_columns(kernel, verification_.rounded_input(kernel));
}

Result<Timing> Trial::time_shortly(ReadyKernel& ready) {
  return ready.loaded->time(timed_input(ready.kernel), {options_.regime, 0, short_samples});
}

std::optional<Failure> Trial::verify_again(ReadyKernel& ready) {
  const auto verified = verification_.verify_rounded(ready.kernel, *ready.loaded);
  return verified ? std::nullopt : std::optional(verified.failure());
}

std::string Trial::fixed_values_reason(const Kernel& kernel) {
  if (kernel.mirror != Mirror::none) {
    return triangle_forbidden;
  }
  for (const Array& array : kernel.arrays) {
    if (array.is_dictionary()) {
      return "codes values, which --values varying forbids: others may differ where these are "
             "equal";
    }
    if (array.is_single(kernel.dtype)) {
      return "stores values as float, which --values varying forbids: others need not be exact so";
    }
  }
  return "";
}

bool Trial::takes_any_values(const Subject& subject) {
  if (subject.baseline()) return subject.baseline()->takes_any_values();
  const auto known = any_values_.find(subject.name());
  if (known != any_values_.end()) return known->second;
  if (alphasparse::takes_any_values(subject.design()->tree())) return true;
  if (++probe_builds_ > probe_builds_max) return false;
  try {
    Measurement facts;
    const Result<Designer::Built> built = build(designers_.front(), subject, facts);
    return any_values_[subject.name()] = built && fixed_values_reason(built->kernel).empty();
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void Trial::check(const Deadline& deadline) {
  check_device(device_);
  device_.set_deadline(deadline);
}

Measurement Trial::run(const Subject& subject, const Deadline& deadline, double incumbent_us) {
  Measurement result;
  result.design = subject.name();
  fail(result, {Status::timeout, "was not done when the budget ended"});
  run(Subjects{subject}, deadline, incumbent_us,
      [&](Measurement outcome) { result = std::move(outcome); });
  return result;
}

Measurement Trial::run(const std::string& text, const Deadline& deadline, double incumbent_us) {
  const Result<Subject> subject = Subject::read(text);
  if (subject) return run(*subject, deadline, incumbent_us);
  Measurement result;
  result.design = text;
  fail(result, subject.failure());
  return result;
}

std::optional<Failure> Trial::no_answer_reason(const CanonicalDesign& design) {
  Measurement facts;
  const Result<Designer::Built> built = build(designers_.front(), design, facts);
  if (!built) return built.failure();
  if (built->kernel.target != device_.info().target) {
    return Failure{Status::pruned, "its kernel is for another target"};
  }
  return prohibition(built->kernel);
}

/// Why the options rule a kernel out, or this machine's memory.
std::optional<Failure> Trial::prohibition(const Kernel& kernel) const {
  if (options_.deterministic && kernel.adds_in_any_order) {
    return Failure{Status::pruned, "adds in any order, which --deterministic forbids"};
  }
  if (options_.nonfinite_exact && kernel.nonfinite() != NonFinite::exact) {
    return Failure{Status::pruned, fmt::format("{}; --nonfinite exact forbids it",
                                               nonfinite_doc(kernel.nonfinite()))};
  }
  if (options_.values_vary) {
    if (const std::string reason = fixed_values_reason(kernel); !reason.empty()) {
      return Failure{Status::pruned, reason};
    }
  }
  if (!options_.own_order && kernel.own_order) {
    return Failure{Status::pruned,
                   "gives x and y an order of its own, which only --vectors-order own allows"};
  }
  if (!options_.may_round && rounds(kernel)) {
    return Failure{Status::pruned, "rounds values, which only --values-precision f32 allows"};
  }
  if (kernel.format_bytes() > available_memory_bytes() / 2) {
    throw host_memory_error(fmt::format("a format of {} is more than half of the available memory",
                                        byte_count_text(kernel.format_bytes())));
  }
  return std::nullopt;
}

/// Once more, and again, where most of the samples were disturbed.
Result<Timing> Trial::time_undisturbed(Kernel& kernel, LoadedKernel& loaded,
                                       const TimingRequest& request) {
  constexpr int attempts = 3;
  const SpmvCase input = timed_input(kernel);
  Result<Timing> timing = loaded.time(input, request);
  for (int attempt = 1; attempt < attempts && timing && timing->disturbed; ++attempt)
    timing = loaded.time(input, request);
  return timing;
}

/// The whole matrix as the workers of a design meet it.
std::optional<WholeSizes> Trial::size_whole(const std::vector<Store>& branches) const {
  std::optional<WholeSizes> whole = whole_;
  if (whole && !walks_whole_rows(branches)) whole->longest_times = 1;
  return whole;
}

}  // namespace alphasparse
