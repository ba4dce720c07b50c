#include "runtime/database/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <string_view>
#include <tuple>

#include "runtime/device/samples.h"

namespace alphasparse {

namespace {

constexpr double equal_times = 1.001;
constexpr double tie_most = 1.02;           // modelled times are no closer to the truth
constexpr double deviations_p80 = 1.683;    // between the 20th and the 80th percentile
constexpr double median_over_mean = 1.253;  // of their standard errors

/// Where no design has a time, bytes decide alone.
double rank_us(const Measurement& measurement) {
  return measurement.timing ? measurement.timing->time_us : std::numeric_limits<double>::max();
}

/// When the last of those that were measured in turn were; empty: none were.
std::string last_final(const Outcomes& outcomes) {
  std::string last;
  for (const auto& [design, outcome] : outcomes) {
    if (outcome.timing && outcome.timing->rounds > 0) last = std::max(last, outcome.created_at);
  }
  return last;
}

/// Half of the 95 % interval of a time that was measured in turn with others.
double half_width_us(const Timing& timing) {
  if (timing.samples < 2) return 0;
  const double deviation_us = (timing.time_us_p80 - timing.time_us_p20) / deviations_p80;
  return student_deviations(timing.samples - 1) * median_over_mean * deviation_us /
         std::sqrt(static_cast<double>(timing.samples));
}

/// Up to which time another is as fast as the fastest. Times of trials are of different conditions,
/// so they tie only where they are equal.
bool is_tied(const Measurement& other, const Measurement& fastest) {
  if (!other.timing || !fastest.timing) return !other.timing && !fastest.timing;
  const Timing &ours = *other.timing, &best = *fastest.timing;
  if (ours.time_us > best.time_us * tie_most) return false;
  if (ours.time_us <= best.time_us * equal_times) return true;
  if (ours.samples == 0 && best.samples == 0) return true;
  return ours.rounds > 0 && best.rounds > 0 &&
         ours.time_us - half_width_us(ours) <= best.time_us + half_width_us(best);
}

bool may_win(const Measurement& measurement, const std::string& final_at) {
  if (measurement.status != Status::ok || !(measurement.verified || measurement.counted))
    return false;
  if (measurement.unsettled) return false;
  const bool is_new = measurement.created_at.empty() || measurement.created_at >= final_at;
  return final_at.empty() || is_new;
}

/// The best of the outcomes that may be it.
template <class MayBe>
const Measurement* best_where(const Outcomes& outcomes, const MayBe& may_be) {
  const Measurement* fastest = nullptr;
  for (const auto& [design, outcome] : outcomes) {
    if (!may_be(outcome)) continue;
    if (!fastest || rank_us(outcome) < rank_us(*fastest)) fastest = &outcome;
  }
  if (!fastest) return nullptr;
  const Measurement* best = nullptr;
  for (const auto& [design, outcome] : outcomes) {
    if (!may_be(outcome) || !is_tied(outcome, *fastest)) continue;
    const auto rank = [](const Measurement& m) {
      return std::tuple(m.format_bytes, m.design.size(), rank_us(m), m.design);
    };
    if (!best || rank(outcome) < rank(*best)) best = &outcome;
  }
  return best;
}

}  // namespace

double preparation_us(const Measurement& outcome) {
  return outcome.convert_us.value_or(0) + outcome.load_us.value_or(0);
}

bool is_timed(const Measurement& measurement) {
  return measurement.status == Status::ok && (measurement.verified || measurement.counted) &&
         measurement.timing && !measurement.unsettled;
}

bool counts_as_trial(const Measurement& measurement) {
  return measurement.status != Status::pruned && measurement.status != Status::duplicate;
}

void make_duplicate(Measurement& outcome, const std::string& original) {
  outcome.status = Status::duplicate;
  outcome.original = original;
  outcome.reason.clear();
}

std::string shown_reason(const Measurement& outcome) {
  if (outcome.original.empty()) return outcome.reason;
  return fmt::format("the same kernel as {}", outcome.original);
}

std::vector<const Measurement*> sort_by_time(const Outcomes& outcomes) {
  std::vector<const Measurement*> timed;
  for (const auto& [design, outcome] : outcomes) {
    if (is_timed(outcome)) timed.push_back(&outcome);
  }
  std::stable_sort(timed.begin(), timed.end(), [](const Measurement* a, const Measurement* b) {
    return a->timing->time_us < b->timing->time_us;
  });
  return timed;
}

std::vector<const Measurement*> newest_by_time(const Outcomes& outcomes) {
  const std::string final_at = last_final(outcomes);
  std::vector<const Measurement*> timed = sort_by_time(outcomes);
  std::erase_if(timed, [&](const Measurement* outcome) { return !may_win(*outcome, final_at); });
  return timed;
}

const Measurement* find_best(const Outcomes& outcomes) {
  const std::string final_at = last_final(outcomes);
  return best_where(outcomes, [&](const Measurement& one) { return may_win(one, final_at); });
}

const Measurement* winner_in_turn(const Outcomes& outcomes) {
  const std::string final_at = last_final(outcomes);
  return best_where(outcomes, [&](const Measurement& one) {
    return is_timed(one) && one.timing->rounds > 0 && one.created_at == final_at;
  });
}

const Measurement* best_baseline(Target target, const Outcomes& known) {
  if (target == Target::cpu) return find_best(known);
  const std::vector<const Measurement*> fastest_first = sort_by_time(known);
  return fastest_first.empty() ? nullptr : fastest_first.front();
}

std::string utc_now() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto since_epoch = now.time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count() % 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  return fmt::format("{}.{:03}Z", text.data(), ms);
}

}  // namespace alphasparse
