#include "search/trial_loop.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "search/bans.h"

namespace alphasparse {

namespace {

constexpr double overrun_share = 0.1;
constexpr double overrun_seconds_min = 1;

Progress progress_of(const TrialLoop& loop, const Outcomes& outcomes, double seconds) {
  Progress progress;
  progress.seconds = seconds;
  progress.seconds_budget = loop.seconds;
  for (const auto& [design, outcome] : outcomes) {
    if (!counts_as_trial(outcome)) continue;
    ++progress.trials;
    if (!outcome.verified) ++progress.failures;
  }
  if (const Measurement* best = best_of(outcomes)) progress.best = *best;
  return progress;
}

}  // namespace

bool counts_as_trial(const Measurement& measurement) {
  return measurement.status != Status::pruned && measurement.status != Status::duplicate;
}

LoopEnd run_trials(const TrialLoop& loop, Outcomes& outcomes) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const Patience::Clock::time_point deadline =
      start + std::chrono::duration_cast<Patience::Clock::duration>(std::chrono::duration<double>(
                  loop.seconds + std::max(overrun_seconds_min, overrun_share * loop.seconds)));
  const auto stopped = [&] { return loop.stop && loop.stop->load(); };
  LoopEnd end;
  bool tried = false;
  const auto spent = [&] {
    if (!tried && !best_of(outcomes)) return false;
    return elapsed() >= loop.seconds || (loop.trials && end.trials >= *loop.trials);
  };
  while (!stopped() && !spent()) {
    const std::optional<std::string> design = loop.propose(outcomes);
    if (!design) break;
    if (outcomes.contains(*design)) continue;
    if (const auto why = ban_reason(outcomes, *design)) {
      Measurement banned;
      banned.design = *design;
      banned.status = Status::pruned;
      banned.reason = *why;
      loop.record(banned);
      outcomes.emplace(*design, std::move(banned));
      continue;
    }
    if (loop.progress) {
      Progress progress = progress_of(loop, outcomes, elapsed());
      progress.trying = *design;
      loop.progress(progress);
    }
    Patience patience;
    patience.stop = loop.stop;
    if (best_of(outcomes)) patience.deadline = deadline;
    Measurement outcome = loop.try_design(*design, patience);
    if (patience.over() && outcome.status != Status::ok) break;
    if (outcome.created_at.empty()) outcome.created_at = utc_now();
    loop.record(outcome);
    tried = tried || counts_as_trial(outcome);
    if (counts_as_trial(outcome)) ++end.trials;
    outcomes.insert_or_assign(*design, std::move(outcome));
  }
  end.interrupted = stopped();
  end.seconds = elapsed();
  if (loop.progress) loop.progress(progress_of(loop, outcomes, end.seconds));
  return end;
}

}  // namespace alphasparse
