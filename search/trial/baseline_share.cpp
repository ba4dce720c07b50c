#include "search/trial/baseline_share.h"

#include <algorithm>
#include <cstddef>

#include "search/trial/baseline_figures.h"
#include "search/trial/finals.h"

namespace alphasparse {

namespace {

// The algorithms that meet in the finals: how many, and how much longer than the fastest they take.
constexpr std::size_t gpu_finalists_most = 2, cpu_finalists_most = 4;
constexpr double cpu_finalist_ratio_max = 1.3;

/// The seconds to prepare it once more, and for the rounds that there are in any case. Each round
/// is a run that is not counted and one that is.
double finals_seconds(const Measurement& outcome) {
  const double round_us = outcome.timing ? 2 * outcome.timing->time_us : 0;
  return 1e-6 * (preparation_us(outcome) + FinalPlan().rounds_min * round_us);
}

double longest_seconds(const Outcomes& known) {
  double longest = 0;
  for (const auto& [name, outcome] : known)
    longest = std::max(longest, 1e-6 * outcome.trial_us.value_or(0));
  return longest;
}

}  // namespace

BaselineShare::BaselineShare(double seconds, Target target)
    : seconds_(std::max(0.0, seconds)), target_(target) {}

double BaselineShare::seconds_left(const Outcomes& known) const {
  double seconds = seconds_ - spent_;
  for (const std::string& name : finalists(known)) {
    seconds -= finals_seconds(known.find(name)->second);
  }
  return std::max(0.0, seconds);
}

bool BaselineShare::has_room(const Outcomes& known) const {
  return find_best(known) == nullptr || longest_seconds(known) < seconds_left(known);
}

std::vector<std::string> BaselineShare::finalists(const Outcomes& known) const {
  const Measurement* const best = best_baseline(target_, known);
  if (best == nullptr) return {};
  const bool on_cpu = target_ == Target::cpu;
  const std::size_t most = on_cpu ? cpu_finalists_most : gpu_finalists_most;
  std::vector<std::string> names = {best->design};
  double seconds = spent_ + finals_seconds(*best);
  for (const Measurement* const other : sort_by_time(known)) {
    if (names.size() == most) break;
    if (other->design == best->design) continue;
    const double limit_us = cpu_finalist_ratio_max * best->timing->time_us;
    if (on_cpu && other->timing->time_us > limit_us) break;
    seconds += finals_seconds(*other);
    if (seconds > seconds_) break;
    names.push_back(other->design);
  }
  return names;
}

}  // namespace alphasparse
