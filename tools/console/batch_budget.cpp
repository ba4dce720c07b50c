#include "tools/console/batch_budget.h"

#include <fmt/format.h>

#include <algorithm>

namespace alphasparse {

namespace {

// Seconds, before any are known.
constexpr double costs_at_first = 0.5;
constexpr double costs_of_seen_at_first = 0.1;

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

BatchBudget::BatchBudget(const Batch& batch)
    : batch_(batch),
      unseen_left_(batch.unseen),
      seen_left_(batch.seen),
      costs_{costs_at_first},
      costs_of_seen_{costs_of_seen_at_first},
      ample_(share(batch.seconds_total, batch.unseen + batch.seen) >= 2 * costs_at_first) {}

double BatchBudget::left(double elapsed) const {
  return std::max(0.0, batch_.seconds_total - elapsed);
}

double BatchBudget::share(double seconds, std::size_t among) const {
  return seconds * static_cast<double>(batch_.devices) /
         static_cast<double>(std::max({among, batch_.devices, std::size_t{1}}));
}

double BatchBudget::kept_for_seen() const {
  const double all =
      costs_of_seen_.mean * static_cast<double>(seen_left_) / static_cast<double>(batch_.devices);
  return std::min(all, batch_.seconds_total / 2);
}

bool BatchBudget::has_time(double elapsed, bool is_seen) const {
  return left(elapsed) > (is_seen ? 0 : kept_for_seen());
}

double BatchBudget::next(double elapsed, bool is_seen) {
  const std::size_t among = ample_ ? unseen_left_ + seen_left_ : unseen_left_;
  const double seconds = share(std::max(0.0, left(elapsed) - kept_for_seen()), among) - costs_.mean;
  --(is_seen ? seen_left_ : unseen_left_);
  if (seconds < costs_.mean || (!ample_ && is_seen)) return 0;
  return std::clamp(seconds, 0.0, batch_.seconds_each_max);
}

void BatchBudget::learn(double seconds, double wall, bool is_seen) {
  Costs& costs = is_seen ? costs_of_seen_ : costs_;
  ++costs.count;
  costs.mean += (std::max(0.0, wall - seconds) - costs.mean) / static_cast<double>(costs.count);
}

double BatchBudget::seconds_enough() const {
  if (!ample_) return 0;
  return std::min(share(batch_.seconds_total, batch_.unseen + batch_.seen) / 2,
                  batch_.seconds_each_max);
}

std::string BatchBudget::text() const {
  const std::size_t all = batch_.unseen + batch_.seen;
  std::string text =
      fmt::format("{:.4g} s for {} on {}: ", batch_.seconds_total,
                  counted(all, "matrix", "matrices"), counted(batch_.devices, "device", "devices"));
  const double seconds = share(batch_.seconds_total, ample_ ? all : batch_.unseen) - costs_at_first;
  const std::string unseen = fmt::format("the {} without an answer first", batch_.unseen);
  if (ample_) {
    return text + fmt::format("about {:.3g} s of search each and {:.2g} s around it, {}",
                              std::min(seconds, batch_.seconds_each_max), costs_at_first, unseen);
  }
  text += seconds < costs_at_first
              ? fmt::format("too short for searches, so the first right design each, {}", unseen)
              : fmt::format("{}, about {:.3g} s of search each", unseen, seconds);
  if (batch_.seen > 0)
    text += fmt::format("; the other {} as the database knows them", batch_.seen);
  return text;
}

}  // namespace alphasparse
