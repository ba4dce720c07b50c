#include "search/trial/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "base/parallel.h"
#include "generator/arrays/long_vectors.h"
#include "operators/compact_passes.h"
#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/shared_objects.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/known_kernel.h"
#include "runtime/emulated/lower_bound.h"
#include "runtime/system/files/content_key.h"
#include "runtime/system/machine/cores.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

/// A format this much larger than CSR cannot win, however it is read; of a large matrix, which
/// memory feeds, a quarter of it cannot either, and would take a machine's memory.
double format_growth_max(const Matrix& matrix) { return matrix.nnz() > large_nnz ? 3 : 12; }

constexpr int short_samples = 3;

constexpr int asked_builds_max = 8;

/// Why a format cannot take the place of another whose values differ, as any values may; empty: it
/// can.
std::string why_not_varying(const Kernel& kernel) {
  if (kernel.mirrored) {
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

bool rounds(const Kernel& kernel) {
  return std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                     [](const Array& array) { return array.rounded; });
}

/// Equal where two kernels do the same: code, launches, arrays.
std::string content_of(const Kernel& kernel) {
  ContentKey key;
  key.add(code_of(kernel.source));
  key.add(kernel.vendor);
  for (const Launch& launch : kernel.launches)
    key.add(fmt::format("{} {} {}", launch.kernel, launch.blocks, launch.threads));
  for (const Array& array : kernel.arrays) {
    key.add(array.name);
    key.add({reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()});
  }
  return key.text();
}

/// Whether a kernel's outcome is the same whatever the best time is, and however long one waits.
bool holds_later(const Measurement& outcome, const Deadline& deadline) {
  if (outcome.status == Status::pruned) return false;
  return outcome.status == Status::ok || !deadline.over();
}

}  // namespace

void fail(Measurement& outcome, const Failure& failure) {
  outcome.status = failure.status;
  outcome.reason = failure.reason;
  outcome.verified = false;
  outcome.unsettled = false;
  outcome.timing.reset();
}

/// A design on its way: built, compared with those before it, tried.
struct Trial::Candidate {
  Subject subject;
  Measurement outcome = {};
  std::optional<Kernel> kernel = {};  ///< where there is something to try
  std::string content = {};
  bool takes_any_values = false;
  bool is_done = false;    ///< nothing is left to try
  std::string fault = {};  ///< of the environment, that it met; empty: none

  /// Whether what became of it may be the environment's doing, although nothing says so. A library
  /// that is missing is told by its algorithms.
  bool is_doubtful() const {
    const Status status = outcome.status;
    if (status == Status::crash) return true;
    return subject.design() && (status == Status::compile_error || status == Status::launch_error ||
                                status == Status::timeout);
  }
};

namespace {

/// What an exception of a trial says: none is a design's.
std::string fault_text(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return host_memory_fault("it does not hold a design").what();
  return error.what();
}

/// Adds what passes until its end to the time of a whole trial.
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

/// By memory: a designer keeps stores of some tens of bytes for each non-zero, as many as prefixes,
/// and every worker holds a kernel, a copy on its way and what checks it.
std::size_t workers_for(const Matrix& matrix, std::size_t threads) {
  if (has_long_vectors(matrix)) return 1;
  const std::int64_t bytes_each = 1000 * (matrix.nnz() + matrix.rows) + (64 << 20);
  const auto by_memory = static_cast<std::size_t>(
      std::max<std::int64_t>(1, available_memory_bytes() / 2 / bytes_each));
  const std::size_t most = threads == 0 ? machine_threads() : std::min(threads, machine_threads());
  return std::min(most, by_memory);
}

}  // namespace

Trial::Trial(const Matrix& matrix, Device& device, const TuneOptions& options, std::size_t threads)
    : matrix_(matrix),
      device_(device),
      options_(options),
      verification_(matrix),
      workers_(workers_for(matrix, threads)),
      gpu_(gpu_model_of(device.info())),
      touched_x_bytes_(touched_x_bytes(matrix, options.dtype)),
      designers_(workers_, Designer(matrix)) {
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
    return known(designer.build_whole(*design, options_.dtype, limits_));
  Result<Kernel> kernel = baseline_kernel(*subject.baseline(), matrix_, options_.dtype);
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
  ready->kernel.list_pads = nullptr;           // its cases have no Inf
  for (Array& array : ready->kernel.arrays) {  // a few of these are held at once
    if (!array.rounded) std::vector<std::int32_t>().swap(array.value_source);
  }
  auto loaded = load(ready->kernel, facts);
  if (!loaded) return loaded.failure();
  ready->loaded = std::move(*loaded);
  give_up_entries(ready->kernel, *ready->loaded);
  return ready;
}

Result<Timing> Trial::time_shortly(ReadyKernel& ready) {
  return ready.loaded->time(verification_.rounded_input(ready.kernel),
                            {options_.regime, 0, short_samples});
}

std::optional<Failure> Trial::verify_again(ReadyKernel& ready) {
  const auto verified = verification_.verify_rounded(ready.kernel, *ready.loaded);
  return verified ? std::nullopt : std::optional(verified.failure());
}

bool Trial::takes_any_values(const Subject& subject) {
  if (subject.baseline()) return subject.baseline()->takes_any_values();
  const auto known = any_values_.find(subject.name());
  if (known != any_values_.end()) return known->second;
  if (alphasparse::takes_any_values(subject.design()->tree())) return true;
  if (++asked_builds_ > asked_builds_max) return false;
  try {
    Measurement facts;
    const Result<Designer::Built> built = build(designers_.front(), subject, facts);
    return any_values_[subject.name()] = built && why_not_varying(built->kernel).empty();
  } catch (const std::bad_alloc&) {
    return false;
  }
}

/// Builds it, where that is allowed and not in vain.
void Trial::prepare(Designer& designer, Candidate& candidate, double incumbent_us) {
  const TrialClock clock(candidate.outcome);
  try {
    Result<Designer::Built> built = build(designer, candidate.subject, candidate.outcome);
    std::optional<Failure> why;
    if (!built) {
      why = built.failure();
    } else {
      why = why_not_allowed(built->kernel);
      const LowerBound bound = bound_of(*built);
      if (bound.time_us > 0) candidate.outcome.bound_us = bound.time_us;
      const auto& design = candidate.subject.design();
      if (!why && !(design && spared_.contains(*design))) why = why_hopeless(bound, incumbent_us);
    }
    if (why) return fail(candidate.outcome, *why);
    built->branches.clear();
    candidate.takes_any_values = why_not_varying(built->kernel).empty();
    candidate.content = content_of(built->kernel);
    candidate.kernel = std::move(built->kernel);
  } catch (const std::exception& error) {
    candidate.fault = fault_text(error);
  }
}

/// Puts the compiled kernels where loading finds them.
void Trial::compile_ahead(const std::vector<Candidate*>& candidates,
                          const Deadline& deadline) const {
  if (is_emulated() || candidates.size() < 2) return;
  parallel_for(candidates.size(), workers_, [&](std::size_t index, std::size_t) {
    if (deadline.over()) return;
    const TrialClock clock(candidates[index]->outcome);
    const Kernel& kernel = *candidates[index]->kernel;
    const DeviceInfo& info = device_.info();
    if (!kernel.vendor.empty()) return;
    try {
      if (kernel.target == Target::cpu) {
        (void)compile_cpu_kernel_cached(kernel, info);
      } else {
        (void)compile_cached(kernel.source, info.arch, {}, info.compiler_library);
      }
    } catch (const std::exception&) {  // who loads it will know
    }
  });
}

void Trial::try_candidate(Candidate& candidate, double incumbent_us) {
  const TrialClock clock(candidate.outcome);
  try {
    verify_and_time(*candidate.kernel, incumbent_us, candidate.outcome);
    hold_bound(candidate.outcome);
    candidate.is_done = true;
  } catch (const std::exception& error) {
    candidate.fault = fault_text(error);
  }
  candidate.kernel.reset();
}

void Trial::check(const Deadline& deadline) {
  check_device(device_);
  device_.wait_with(deadline);
}

/// A verdict on a design takes a device that works, and of a doubtful one a second look. Not done
/// afterwards: the deadline had passed, and what stopped us may have stopped it.
void Trial::settle(Candidate& candidate, const Deadline& deadline, double incumbent_us) {
  candidate.is_done = false;
  const auto is_open = [&] { return !candidate.fault.empty() && !deadline.over(); };
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
  prepare(designers_.front(), candidate, incumbent_us);
  if (candidate.kernel)
    try_candidate(candidate, incumbent_us);
  else
    candidate.is_done = candidate.fault.empty();
  if (!is_open()) return;
  check(deadline);
  fail(candidate.outcome, {Status::pruned, candidate.fault});
  candidate.outcome.unsettled = true;
  candidate.is_done = true;
}

void Trial::run(const Subjects& subjects, const Deadline& deadline, double incumbent_us,
                const Found& found, const std::function<bool(const Subject&)>& wanted) {
  device_.wait_with(deadline);
  if (incumbent_us > 0) learn_rates();
  std::vector<Candidate> candidates;
  for (const Subject& subject : subjects) candidates.push_back({subject});
  parallel_for(candidates.size(), workers_, [&](std::size_t index, std::size_t worker) {
    candidates[index].outcome.design = candidates[index].subject.name();
    if (!deadline.over()) prepare(designers_[worker], candidates[index], incumbent_us);
  });
  std::vector<Candidate*> fresh;       // to be tried
  std::vector<Candidate*> duplicates;  // of one of these, or of an earlier one
  std::vector<Candidate*> doubtful;    // that have met faults, or failed as if by one
  for (Candidate& candidate : candidates) {
    if (!candidate.fault.empty()) {
      doubtful.push_back(&candidate);
      continue;
    }
    if (!candidate.kernel) {
      if (candidate.outcome.status != Status::ok) found(std::move(candidate.outcome));
      continue;
    }
    any_values_[candidate.outcome.design] = candidate.takes_any_values;
    const bool first = by_content_.try_emplace(candidate.content, candidate.outcome).second;
    (first ? fresh : duplicates).push_back(&candidate);
    if (!first) candidate.kernel.reset();
  }
  compile_ahead(fresh, deadline);
  const std::size_t at_once = is_emulated() ? workers_ : 1;
  const auto take = [&](Candidate& candidate) {
    if (!candidate.is_done) return;
    const bool is_known = !candidate.outcome.unsettled && !candidate.content.empty();
    if (is_known) by_content_[candidate.content] = candidate.outcome;
    found(std::move(candidate.outcome));
  };
  parallel_for(
      fresh.size(), at_once,
      [&](std::size_t index, std::size_t) {
        if (deadline.over()) return;
        if (at_once == 1 && wanted && !wanted(fresh[index]->subject)) return;
        try_candidate(*fresh[index], incumbent_us);
      },
      [&](std::size_t index) {
        Candidate& candidate = *fresh[index];
        if (!candidate.fault.empty() || candidate.is_doubtful()) {
          doubtful.push_back(&candidate);
        } else {
          take(candidate);
        }
      });
  const auto forget_open = [&] {
    for (Candidate* const candidate : fresh) {
      if (!candidate->is_done || candidate->outcome.unsettled)
        by_content_.erase(candidate->content);
    }
  };
  try {
    for (Candidate* const candidate : doubtful) {
      settle(*candidate, deadline, incumbent_us);
      take(*candidate);
    }
  } catch (const Error&) {
    forget_open();
    throw;
  }
  forget_open();
  for (Candidate* const candidate : duplicates) {
    const auto known = by_content_.find(candidate->content);
    if (known == by_content_.end()) continue;  // its original was not reached
    Measurement outcome = known->second;
    outcome.trial_us = candidate->outcome.trial_us;
    if (outcome.design != candidate->outcome.design) {  // else it is tried once more
      make_duplicate(outcome, outcome.design);
      outcome.design = candidate->outcome.design;
    }
    found(std::move(outcome));
  }
  for (const Candidate* const candidate : fresh) {
    const auto known = by_content_.find(candidate->content);
    if (known != by_content_.end() && !holds_later(known->second, deadline)) {
      by_content_.erase(known);
    }
  }
}

void Trial::forget(const Designs& designs) {
  std::erase_if(by_content_, [&](const auto& entry) {
    const auto is_it = [&](const CanonicalDesign& design) { return design == entry.second.design; };
    return std::any_of(designs.begin(), designs.end(), is_it);
  });
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

std::optional<Failure> Trial::why_not_answer(const CanonicalDesign& design) {
  Measurement facts;
  const Result<Designer::Built> built = build(designers_.front(), design, facts);
  if (!built) return built.failure();
  if (built->kernel.target != device_.info().target) {
    return Failure{Status::pruned, "its kernel is for another target"};
  }
  return why_not_allowed(built->kernel);
}

/// Why the options rule a kernel out, or this machine's memory.
std::optional<Failure> Trial::why_not_allowed(const Kernel& kernel) const {
  if (options_.deterministic && kernel.adds_in_any_order) {
    return Failure{Status::pruned, "adds in any order, which --deterministic forbids"};
  }
  if (options_.nonfinite_exact && kernel.nonfinite() != NonFinite::exact) {
    return Failure{Status::pruned, fmt::format("{}; --nonfinite exact forbids it",
                                               nonfinite_doc(kernel.nonfinite()))};
  }
  if (options_.values_vary) {
    if (const std::string why = why_not_varying(kernel); !why.empty()) {
      return Failure{Status::pruned, why};
    }
  }
  if (!options_.may_round && rounds(kernel)) {
    return Failure{Status::pruned, "rounds values, which only a design that is asked for may do"};
  }
  if (kernel.format_bytes() > available_memory_bytes() / 2) {
    throw host_memory_fault(fmt::format("a format of {} is more than half of the available memory",
                                        byte_count_text(kernel.format_bytes())));
  }
  return std::nullopt;
}

/// Once more, and again, where most of the samples were disturbed.
Result<Timing> Trial::time_undisturbed(Kernel& kernel, LoadedKernel& loaded, double incumbent_us) {
  constexpr int attempts = 3;
  const SpmvCase input = verification_.rounded_input(kernel);
  Result<Timing> timing = loaded.time(input, {options_.regime, incumbent_us});
  for (int attempt = 1; attempt < attempts && timing && timing->disturbed; ++attempt)
    timing = loaded.time(input, {options_.regime, incumbent_us});
  return timing;
}

void Trial::verify_and_time(Kernel& kernel, double incumbent_us, Measurement& outcome) {
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(kernel, outcome);
  if (!loaded) return fail(outcome, loaded.failure());
  give_up_entries(kernel, **loaded);
  const auto time = [&] { return time_undisturbed(kernel, **loaded, incumbent_us); };
  std::optional<Result<Timing>> timing;
  if (is_emulated() && incumbent_us > 0) {  // counting takes a fraction of verifying
    timing = time();
    if (*timing && (*timing)->time_us > unverified_times_best * incumbent_us) {
      outcome.bound_us = (*timing)->time_us;
      return fail(outcome, {Status::pruned,
                            fmt::format("takes {:.1f} us by its counts, the best {:.1f} us: not "
                                        "worth verifying",
                                        (*timing)->time_us, incumbent_us)});
    }
  }
  const auto verified = verification_.verify(kernel, **loaded);
  if (!verified) return fail(outcome, verified.failure());
  outcome.verified = true;
  if (!timing) timing = time();
  if (*timing) {
    outcome.timing = std::move(**timing);
    outcome.unsettled = outcome.timing->disturbed;
  } else if (is_emulated() && timing->failure().status != Status::compile_error) {
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

}  // namespace alphasparse
