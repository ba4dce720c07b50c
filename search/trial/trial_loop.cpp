#include "search/trial/trial_loop.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "runtime/system/stopwatch.h"
#include "search/space/prune_rules.h"

namespace alphasparse {

namespace {

constexpr double overrun_share = 0.1;
constexpr double overrun_seconds = 1, overrun_share_max = 0.2;

Progress make_progress(const TrialLoop& loop, const Outcomes& outcomes, double seconds) {
  Progress progress;
  progress.seconds = seconds;
  progress.seconds_budget = loop.seconds;
  for (const auto& [design, outcome] : outcomes) {
    if (!counts_as_trial(outcome)) continue;
    ++progress.trials;
    if (!outcome.verified && !outcome.counted) ++progress.failures;
  }
  if (const Measurement* best = find_best(outcomes)) progress.best = *best;
  return progress;
}

/// A loop while it runs.
class Run {
 public:
  Run(const TrialLoop& loop, Outcomes& outcomes, KnownDesigns& known)
      : loop_(loop), outcomes_(outcomes), known_(known) {}

  LoopEnd run() {
    while (!stopped() && !spent()) {
      const Designs batch = allowed(loop_.propose(outcomes_, batch_size()));
      if (batch.empty()) {
        if (pruned_) continue;  // the next proposal knows
        break;
      }
      report(batch.front().text());
      Deadline deadline;
      deadline.stop = loop_.stop;
      if (find_best(outcomes_) || !end_.set_aside.empty()) deadline.time = end_of_time();
      const auto found = [&](Measurement outcome) {
        // The same event may have stopped it.
        if (!deadline.over() || outcome.status == Status::ok) take(std::move(outcome));
        if (batch.size() > 1) report(batch.front().text());
      };
      const auto wanted = [&](const CanonicalDesign& design) {
        return !prune_reason(outcomes_, known_, design);
      };
      loop_.try_designs(batch, deadline, found, wanted);
      (void)allowed(batch);  // designs left out by a rule are written down
    }
    for (const Measurement& outcome : end_.set_aside) outcomes_.erase(outcome.design);
    end_.interrupted = stopped();
    end_.seconds = clock_.seconds();
    report("");
    return end_;
  }

 private:
  bool stopped() const { return loop_.stop && loop_.stop->load(); }

  bool is_over() const {
    return clock_.seconds() >= loop_.seconds || (loop_.trials && end_.trials >= *loop_.trials);
  }

  bool spent() const { return is_over() && (tried_ || find_best(outcomes_)); }

  /// The number of trials left; one where there is no budget at all.
  std::size_t batch_size() const {
    if (is_over()) return 1;
    if (!loop_.trials) return loop_.batch;
    return std::min(loop_.batch, static_cast<std::size_t>(*loop_.trials - end_.trials));
  }

  Deadline::Clock::time_point end_of_time() const {
    const double least = std::min(overrun_seconds, overrun_share_max * loop_.seconds);
    const double overrun = std::max(least, overrun_share * loop_.seconds);
    return Deadline::after(loop_.seconds + overrun, start_);
  }

  void report(const std::string& trying) const {
    if (!loop_.progress) return;
    Progress progress = make_progress(loop_, outcomes_, clock_.seconds());
    progress.trying = trying;
    loop_.progress(progress);
  }

  /// The designs that are not banned. Banned designs are written down.
  Designs allowed(Designs designs) {
    pruned_ = false;
    Designs left;
    for (CanonicalDesign& design : designs) {
      known_.add(design);
      const bool twice = std::find(left.begin(), left.end(), design) != left.end();
      if (twice || outcomes_.contains(design.text())) continue;
      const std::optional<std::string> reason = prune_reason(outcomes_, known_, design);
      if (!reason) {
        left.push_back(std::move(design));
        continue;
      }
      pruned_ = true;
      Measurement pruned;
      pruned.design = design.text();
      pruned.status = Status::pruned;
      pruned.reason = *reason;
      take(std::move(pruned));
    }
    return left;
  }

  /// While the loop lasts a refusal stands in its place, so that it is not proposed again.
  void set_aside(Measurement outcome) {
    tried_ = true;
    ++end_.trials;
    Measurement pruned;
    pruned.design = outcome.design;
    pruned.status = Status::pruned;
    pruned.reason = "set aside";
    pruned.unsettled = true;
    outcomes_.insert_or_assign(outcome.design, std::move(pruned));
    end_.set_aside.push_back(std::move(outcome));
  }

  void take(Measurement outcome) {
    if (outcome.unsettled) return set_aside(std::move(outcome));
    if (outcome.created_at.empty()) outcome.created_at = utc_now();
    loop_.record(outcome);
    tried_ = tried_ || counts_as_trial(outcome);
    if (counts_as_trial(outcome)) ++end_.trials;
    std::string design = outcome.design;
    outcomes_.insert_or_assign(std::move(design), std::move(outcome));
  }

  const TrialLoop& loop_;
  Outcomes& outcomes_;
  KnownDesigns& known_;
  const Stopwatch clock_;
  const Deadline::Clock::time_point start_ = Deadline::Clock::now();
  LoopEnd end_;
  bool tried_ = false;
  bool pruned_ = false;  // the last proposal had some
};

}  // namespace

LoopEnd run_trials(const TrialLoop& loop, Outcomes& outcomes, KnownDesigns& known) {
  return Run(loop, outcomes, known).run();
}

}  // namespace alphasparse
