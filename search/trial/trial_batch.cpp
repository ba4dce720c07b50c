// trial_batch: subjects that are tried together: built, compared with those before them, compiled,
// tried, and settled where a fault may have made their outcome. A part of trial.h.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "base/parallel.h"
#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/shared_objects.h"
#include "runtime/system/files/content_key.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/stopwatch.h"
#include "search/trial/trial.h"

namespace alphasparse {

/// A design in progress: built, compared with those before it, tried.
struct Trial::Candidate {
  Subject subject;
  Measurement outcome = {};
  std::optional<Kernel> kernel = {};  ///< where there is something to try
  std::string content = {};
  bool takes_any_values = false;
  std::optional<WholeOf> whole = {};  ///< where the matrix is a sample of it
  bool is_begun = false;              ///< its turn has come, and nothing spoke against it
  bool is_done = false;               ///< nothing is left to try
  std::string fault = {};             ///< of the environment, that it met; empty: none

  /// Whether the environment may have made its outcome, although nothing says so. A library
  /// that is missing is told by its algorithms.
  bool is_doubtful() const {
    const Status status = outcome.status;
    if (status == Status::crash) return true;
    return subject.design() && (status == Status::compile_error || status == Status::launch_error ||
                                status == Status::timeout);
  }
};

namespace {

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

/// Whether a kernel's outcome is the same with any best time, and after any wait.
bool holds_later(const Measurement& outcome, const Deadline& deadline) {
  if (outcome.status == Status::pruned) return false;
  return outcome.status == Status::ok || !deadline.over();
}

/// The text of an exception of a trial: none is a design's fault.
std::string fault_text(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return host_memory_fault("it does not hold a design").what();
  return error.what();
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

/// Builds it, where that is allowed and not in vain.
void Trial::prepare(Designer& designer, Candidate& candidate, double incumbent_us) {
  const TrialClock clock(candidate.outcome);
  try {
    if (matrix_.nnz() > large_nnz) release_freed_memory();
    Result<Designer::Built> built = build(designer, candidate.subject, candidate.outcome);
    std::optional<Failure> why;
    if (!built) {
      why = built.failure();
    } else {
      why = why_not_allowed(built->kernel);
      const LowerBound bound = bound_of(*built);
      if (bound.time_us > 0) candidate.outcome.bound_us = bound.time_us;
      if (!why && !is_spared_design(candidate.subject)) why = why_hopeless(bound, incumbent_us);
    }
    if (why) return fail(candidate.outcome, *why);
    candidate.whole = whole_of(built->branches);
    built->branches.clear();
    candidate.takes_any_values = why_not_varying(built->kernel).empty();
    candidate.content = content_of(built->kernel);
    candidate.kernel = std::move(built->kernel);
  } catch (const std::exception& error) {
    candidate.fault = fault_text(error);
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

void Trial::compile_ahead(const std::vector<Candidate*>& candidates,
                          const Deadline& deadline) const {
  if (is_emulated() || candidates.size() < 2) return;
  parallel_for(candidates.size(), workers_, [&](std::size_t index, std::size_t) {
    if (candidates[index]->kernel && !deadline.over()) compile(*candidates[index]);
  });
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
    const bool is_spared = is_spared_design(candidate.subject);
    const bool is_costly = matrix_.nnz() > large_nnz && !is_spared;
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
    candidate.fault = fault_text(error);
  }
  candidate.kernel.reset();
}

/// A verdict on a design takes a device that works, and of a doubtful one a second look. Not done
/// afterwards: the deadline had passed, and the stop may have broken the trial too.
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

/// Designs that are tried together: each is built, and the kernels among them that are new are
/// tried.
class Trial::Batch {
 public:
  Batch(Trial& trial, const Subjects& subjects, const Deadline& deadline, double incumbent_us,
        const Found& found, const std::function<bool(const Subject&)>& wanted)
      : trial_(trial),
        deadline_(deadline),
        incumbent_us_(incumbent_us),
        found_(found),
        wanted_(wanted),
        at_once_(trial.is_emulated() ? trial.workers_ : 1) {
    for (const Subject& subject : subjects) candidates_.push_back({subject});
  }

  void run() {
    try {
      if (trial_.builds_beside_)
        build_beside_trials();
      else
        build_before_trials();
      for (Candidate* const candidate : doubtful_) settle(*candidate);
    } catch (...) {
      forget_open();
      throw;
    }
    forget_open();
    answer_duplicates();
    forget_what_holds_no_longer();
  }

 private:
  void build(std::size_t index, std::size_t worker) {
    Candidate& candidate = candidates_[index];
    candidate.outcome.design = candidate.subject.name();
    if (!deadline_.over()) trial_.prepare(trial_.designers_[worker], candidate, incumbent_us_);
  }

  void build_before_trials() {
    parallel_for(candidates_.size(), trial_.workers_,
                 [&](std::size_t index, std::size_t worker) { build(index, worker); });
    for (Candidate& candidate : candidates_) sort_out(candidate);
    trial_.compile_ahead(fresh_, deadline_);
    parallel_for(
        fresh_.size(), at_once_, [&](std::size_t index, std::size_t) { try_one(*fresh_[index]); },
        [&](std::size_t index) { take_or_doubt(*fresh_[index]); });
  }

  void build_beside_trials() {
    const auto build_and_compile = [&](std::size_t index) {
      build(index, trial_.workers_);
      if (candidates_[index].kernel && !deadline_.over()) trial_.compile(candidates_[index]);
    };
    work_beside(candidates_.size(), build_and_compile, [&](std::size_t index) {
      Candidate& candidate = candidates_[index];
      if (!sort_out(candidate)) return;
      try_one(candidate);
      candidate.kernel.reset();
      take_or_doubt(candidate);
    });
  }

  /// Whether a candidate has a turn: its kernel is to be tried, or it has met a fault.
  bool sort_out(Candidate& candidate) {
    if (!candidate.fault.empty()) {
      fresh_.push_back(&candidate);
      return true;
    }
    if (!candidate.kernel) {
      if (candidate.outcome.status != Status::ok) found_(std::move(candidate.outcome));
      return false;
    }
    trial_.any_values_[candidate.outcome.design] = candidate.takes_any_values;
    const bool first = trial_.by_content_.try_emplace(candidate.content, candidate.outcome).second;
    (first ? fresh_ : duplicates_).push_back(&candidate);
    if (!first) candidate.kernel.reset();
    return first;
  }

  void try_one(Candidate& candidate) {
    if (deadline_.over()) return;
    if (at_once_ == 1 && wanted_ && !wanted_(candidate.subject)) return;
    candidate.is_begun = true;
    if (candidate.kernel) trial_.try_candidate(candidate, incumbent_us_);
  }

  /// A doubtful one is settled before the next is begun, which it may rule out. Those that are
  /// tried at once wait until the machine has no other work.
  void take_or_doubt(Candidate& candidate) {
    if (!candidate.is_begun) return;
    if (candidate.fault.empty() && !candidate.is_doubtful())
      take(candidate);
    else if (at_once_ == 1)
      settle(candidate);
    else
      doubtful_.push_back(&candidate);
  }

  void take(Candidate& candidate) {
    if (!candidate.is_done) return;
    const bool is_known = !candidate.outcome.unsettled && !candidate.content.empty();
    if (is_known) trial_.by_content_[candidate.content] = candidate.outcome;
    found_(std::move(candidate.outcome));
  }

  /// No other design is built meanwhile: the memory may have been too small for two.
  void settle(Candidate& candidate) {
    const PauseBeside pause;
    trial_.settle(candidate, deadline_, incumbent_us_);
    take(candidate);
  }

  /// Kernels without an outcome are new to the next batch, also where the device does not work.
  void forget_open() {
    for (const Candidate* const candidate : fresh_) {
      if (!candidate->is_done || candidate->outcome.unsettled)
        trial_.by_content_.erase(candidate->content);
    }
  }

  void answer_duplicates() {
    for (Candidate* const candidate : duplicates_) {
      const auto known = trial_.by_content_.find(candidate->content);
      if (known == trial_.by_content_.end()) continue;  // its original was not reached
      Measurement outcome = known->second;
      outcome.trial_us = candidate->outcome.trial_us;
      if (outcome.design != candidate->outcome.design) {  // else it is tried once more
        make_duplicate(outcome, outcome.design);
        outcome.design = candidate->outcome.design;
      }
      found_(std::move(outcome));
    }
  }

  void forget_what_holds_no_longer() {
    for (const Candidate* const candidate : fresh_) {
      const auto known = trial_.by_content_.find(candidate->content);
      if (known != trial_.by_content_.end() && !holds_later(known->second, deadline_))
        trial_.by_content_.erase(known);
    }
  }

  Trial& trial_;
  const Deadline& deadline_;
  const double incumbent_us_;
  const Found& found_;
  const std::function<bool(const Subject&)>& wanted_;
  const std::size_t at_once_;
  std::vector<Candidate> candidates_;
  std::vector<Candidate*> fresh_;       ///< with a turn
  std::vector<Candidate*> duplicates_;  ///< of one of these, or of an earlier one
  std::vector<Candidate*> doubtful_;    ///< that have met faults, or failed as if by one; to settle
};

void Trial::run(const Subjects& subjects, const Deadline& deadline, double incumbent_us,
                const Found& found, const std::function<bool(const Subject&)>& wanted) {
  device_.wait_with(deadline);
  if (incumbent_us > 0) learn_rates();
  Batch(*this, subjects, deadline, incumbent_us, found, wanted).run();
}

void Trial::forget(const Designs& designs) {
  std::erase_if(by_content_, [&](const auto& entry) {
    const auto is_it = [&](const CanonicalDesign& design) { return design == entry.second.design; };
    return std::any_of(designs.begin(), designs.end(), is_it);
  });
}

}  // namespace alphasparse
