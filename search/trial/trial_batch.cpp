// trial_batch: candidates that are tried together: the order in which they are built, compiled and
// tried, and the duplicates among them. A part of trial.h.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/pause_beside.h"
#include "search/trial/candidate.h"

namespace alphasparse {

namespace {

/// Whether a kernel's outcome is the same with any best time, and after any wait.
bool holds_later(const Measurement& outcome, const Deadline& deadline) {
  if (outcome.status == Status::pruned) return false;
  return outcome.status == Status::ok || !deadline.over();
}

}  // namespace

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
      for (Candidate* const candidate : doubtful_) decide(*candidate);
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
    if (deadline_.over()) return;
    trial_.prepare(trial_.designers_[worker], candidate, deadline_, incumbent_us_);
  }

  void build_before_trials() {
    parallel_for(candidates_.size(), trial_.workers_,
                 [&](std::size_t index, std::size_t worker) { build(index, worker); });
    for (Candidate& candidate : candidates_) sort_out(candidate);
    compile_fresh();
    parallel_for(
        fresh_.size(), at_once_, [&](std::size_t index, std::size_t) { try_one(*fresh_[index]); },
        [&](std::size_t index) { take_or_doubt(*fresh_[index]); });
  }

  void compile_fresh() const {
    if (trial_.is_emulated() || fresh_.size() < 2) return;
    parallel_for(fresh_.size(), trial_.workers_, [&](std::size_t index, std::size_t) {
      if (!deadline_.over()) trial_.compile(*fresh_[index]);
    });
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

  /// Whether a candidate has a turn: its kernel is new. One that could not be built is settled at
  /// the end, when no other format takes its memory.
  bool sort_out(Candidate& candidate) {
    if (!candidate.error.empty()) {
      doubtful_.push_back(&candidate);
      return false;
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
    trial_.try_candidate(candidate, incumbent_us_);
  }

  /// A doubtful one is settled before the next is begun, which it may rule out. Those that are
  /// tried at once, and those that lacked memory, wait until nothing else is in memory.
  void take_or_doubt(Candidate& candidate) {
    if (!candidate.is_begun) return;
    if (candidate.error.empty() && !candidate.is_doubtful())
      take(candidate);
    else if (at_once_ == 1 && !candidate.lacked_memory)
      decide(candidate);
    else
      doubtful_.push_back(&candidate);
  }

  void take(Candidate& candidate) {
    if (!candidate.is_done) return;
    const bool is_known = !candidate.outcome.unsettled && !candidate.content.empty();
    if (is_known) trial_.by_content_[candidate.content] = candidate.outcome;
    found_(candidate.outcome);
  }

  /// Nothing is built meanwhile: a device may fork this process anew.
  void decide(Candidate& candidate) {
    const PauseBeside pause;
    trial_.decide(candidate, deadline_, incumbent_us_);
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
  std::vector<Candidate*> fresh_;       ///< to be tried
  std::vector<Candidate*> duplicates_;  ///< of one of these, or of an earlier one
  std::vector<Candidate*> doubtful_;    ///< that have met faults, or failed as if by one; to settle
};

void Trial::run(const Subjects& subjects, const Deadline& deadline, double incumbent_us,
                const Found& found, const std::function<bool(const Subject&)>& wanted) {
  device_.set_deadline(deadline);
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
