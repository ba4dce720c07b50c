#include "search/trial/finals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "runtime/device/samples.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

constexpr double contender_ratio_max = 1.25;
constexpr std::size_t contenders_max = 8;

/// Ratio to the first kernel, round by round.
void compare(Standing& standing, const Standing& first) {
  const auto rounds = static_cast<double>(standing.us.size());
  double sum = 0, squares = 0;
  for (std::size_t round = 0; round < standing.us.size(); ++round) {
    const double log_ratio = std::log(standing.us[round] / first.us[round]);
    sum += log_ratio;
    squares += log_ratio * log_ratio;
  }
  const double mean = sum / rounds;
  const double variance =
      rounds > 1 ? std::max(0.0, squares - rounds * mean * mean) / (rounds - 1) : 0;
  standing.ratio = std::exp(mean);
  const int degrees = static_cast<int>(standing.us.size()) - 1;
  standing.half_width =
      degrees > 0 ? student_deviations(degrees) * std::sqrt(variance / rounds) : 0;
}

bool enough(const std::vector<Standing>& standings, const FinalPlan& plan) {
  const auto rounds = static_cast<int>(standings.front().us.size());
  if (rounds < plan.rounds_min) return false;
  return std::all_of(standings.begin(), standings.end(), [&](const Standing& standing) {
    return standing.half_width <= plan.half_width_max;
  });
}

/// A sample of each, in an order that goes on by one each round; false, and none of them, where one
/// was disturbed.
Result<bool> sample_round(const std::vector<LoadedKernel*>& kernels, int round,
                          std::vector<Standing>& standings) {
  std::vector<double> samples(kernels.size());
  for (std::size_t first = 0; first < kernels.size(); ++first) {
    const std::size_t index = (first + static_cast<std::size_t>(round)) % kernels.size();
    const Result<std::vector<double>> us = kernels[index]->sample(1);
    if (!us) return us.failure();
    if (us->empty()) return false;
    samples[index] = us->front();
  }
  for (std::size_t i = 0; i < samples.size(); ++i) standings[i].us.push_back(samples[i]);
  for (Standing& standing : standings) compare(standing, standings.front());
  return true;
}

/// A measurement from the results of the rounds.
void take_over(Measurement& measurement, const Standing& standing, std::size_t others,
               const std::string& when) {
  Timing& timing = *measurement.timing;
  summarise_samples(standing.us, timing);
  timing.disturbed = false;
  timing.rounds = timing.samples;
  add_note(timing, fmt::format("in turn with {} others: {:.4f} +- {:.4f} of the first's time",
                               others, standing.ratio, standing.ratio * standing.half_width));
  measurement.created_at = when;
}

}  // namespace

Result<std::vector<Standing>> measure_in_turn(const std::vector<LoadedKernel*>& kernels,
                                              const FinalPlan& plan, double seconds,
                                              const std::atomic<bool>& stop) {
  const Stopwatch clock;
  std::vector<Standing> standings(kernels.size());
  for (int round = 0, dropped = 0; round - dropped < plan.rounds_max; ++round) {
    const Result<bool> whole = sample_round(kernels, round, standings);
    if (!whole) return whole.failure();
    dropped += *whole ? 0 : 1;
    const int rounds = round + 1 - dropped;
    const bool late = clock.seconds() > seconds || stop;
    const bool too_late = clock.seconds() > seconds + plan.seconds_over;
    const int least = too_late ? std::min(plan.rounds_few, plan.rounds_min) : plan.rounds_min;
    if (rounds < least && (too_late || stop) && dropped > 0)
      return Failure{Status::timeout, rounds_disturbed};
    if (*whole && (enough(standings, plan) || (late && rounds >= least))) break;
  }
  return standings;
}

std::vector<std::string> finalists(const Outcomes& outcomes) {
  const std::vector<const Measurement*> timed = newest_by_time(outcomes);
  if (timed.empty()) return {};
  std::vector<std::string> designs = {timed.front()->design};
  const Measurement* const before = winner_in_turn(outcomes);
  if (before && before != timed.front()) designs.push_back(before->design);
  const double limit_us = timed.front()->timing->time_us * contender_ratio_max;
  for (const Measurement* const outcome : timed) {
    if (designs.size() == contenders_max || outcome->timing->time_us > limit_us) break;
    if (outcome != timed.front() && outcome != before) designs.push_back(outcome->design);
  }
  return designs;
}

Result<std::vector<Finalist>> run_finals(Trial& trial, const Subjects& subjects,
                                         const FinalPlan& plan, double seconds,
                                         const std::atomic<bool>& stop) {
  const Stopwatch clock;
  std::vector<Finalist> finals;
  std::vector<std::unique_ptr<ReadyKernel>> ready;
  Failure failure{Status::timeout, "there was no time for finals"};
  double bytes = 0;
  for (const Subject& subject : subjects) {
    if (stop || (!ready.empty() && clock.seconds() > seconds / 2)) break;
    // Its size is estimated as the mean of those before.
    const auto loaded_before = static_cast<double>(ready.size());
    if (!ready.empty() && bytes + bytes / loaded_before > plan.bytes_max) break;
    Measurement measurement;
    auto loaded = trial.load(subject, measurement);
    const auto timing = loaded ? trial.time_shortly(**loaded) : Result<Timing>(loaded.failure());
    if (!timing) {
      failure = timing.failure();
      continue;
    }
    measurement.timing = *timing;
    measurement.verified = true;  // by its trial
    bytes += static_cast<double>(measurement.format_bytes.value_or(0));
    finals.push_back({std::move(measurement), {}});
    ready.push_back(std::move(*loaded));
  }
  if (ready.empty()) return failure;
  std::vector<LoadedKernel*> kernels;
  for (const auto& kernel : ready) kernels.push_back(kernel->loaded.get());
  const double rest = std::max(0.0, seconds - clock.seconds());
  const auto standings = measure_in_turn(kernels, plan, rest, stop);
  if (!standings) return standings.failure();
  const std::string when = utc_now();
  std::size_t fastest = 0;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    take_over(finals[i].outcome, standings->at(i), ready.size() - 1, when);
    if (standings->at(i).ratio < standings->at(fastest).ratio) fastest = i;
    finals[i].standing = standings->at(i);
  }
  if (const auto wrong = trial.verify_again(*ready[fastest])) {
    if (wrong->status != Status::wrong_result) return *wrong;
    fail(finals[fastest].outcome, *wrong);
  }
  return finals;
}

}  // namespace alphasparse
