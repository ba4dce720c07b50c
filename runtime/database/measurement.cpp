#include "runtime/database/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <limits>
#include <string_view>
#include <tuple>

namespace alphasparse {

namespace {

constexpr double equal_times = 1.001;
constexpr std::string_view kernel_of = "the kernel of ";

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

bool may_win(const Measurement& measurement, const std::string& final_at) {
  if (measurement.status != Status::ok || !measurement.verified) return false;
  const bool is_new = measurement.created_at.empty() || measurement.created_at >= final_at;
  return final_at.empty() || is_new;
}

/// Of those that may be it.
template <class MayBe>
const Measurement* best_where(const Outcomes& outcomes, const MayBe& may_be) {
  const Measurement* fastest = nullptr;
  for (const auto& [design, outcome] : outcomes) {
    if (!may_be(outcome)) continue;
    if (!fastest || rank_us(outcome) < rank_us(*fastest)) fastest = &outcome;
  }
  if (!fastest) return nullptr;
  const double time_us_max = rank_us(*fastest) * equal_times;
  const Measurement* best = nullptr;
  for (const auto& [design, outcome] : outcomes) {
    if (!may_be(outcome) || rank_us(outcome) > time_us_max) continue;
    const auto rank = [](const Measurement& m) {
      return std::tuple(m.format_bytes, rank_us(m), m.design.size(), m.design);
    };
    if (!best || rank(outcome) < rank(*best)) best = &outcome;
  }
  return best;
}

}  // namespace

bool is_timed(const Measurement& measurement) {
  return measurement.status == Status::ok && measurement.verified && measurement.timing;
}

bool counts_as_trial(const Measurement& measurement) {
  return measurement.status != Status::pruned && measurement.status != Status::duplicate;
}

std::string duplicate_reason(const std::string& original) {
  return fmt::format("{}{}", kernel_of, original);
}

std::string original_of(const Measurement& duplicate) {
  const bool is_one = duplicate.status == Status::duplicate;
  return is_one && duplicate.reason.starts_with(kernel_of)
             ? duplicate.reason.substr(kernel_of.size())
             : "";
}

std::vector<const Measurement*> by_time(const Outcomes& outcomes) {
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
  std::vector<const Measurement*> timed = by_time(outcomes);
  std::erase_if(timed, [&](const Measurement* outcome) { return !may_win(*outcome, final_at); });
  return timed;
}

const Measurement* best_of(const Outcomes& outcomes) {
  const std::string final_at = last_final(outcomes);
  return best_where(outcomes, [&](const Measurement& one) { return may_win(one, final_at); });
}

const Measurement* winner_in_turn(const Outcomes& outcomes) {
  const std::string final_at = last_final(outcomes);
  return best_where(outcomes, [&](const Measurement& one) {
    return is_timed(one) && one.timing->rounds > 0 && one.created_at == final_at;
  });
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
