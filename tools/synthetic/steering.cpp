#include "tools/synthetic/steering.h"

#include <algorithm>

namespace alphasparse::synthetic {

namespace {

constexpr double span_rows = 64, pair_rows = 4, likeness_rows = 16;  // a debt is paid in so many

}  // namespace

// Of `side` rows that are alike, all but the last have a likeness of 1 to the next one. Of the
// entries of a block, all but those at the sides have two neighbours.
Steering::Steering(const SyntheticOptions& options, int side)
    : side_(side),
      cols_(options.cols / side),
      span_target_(options.bandwidth * static_cast<double>(options.cols) / side),
      pair_target_(options.neighbours * side / 2 - (side - 1)),
      likeness_target_(options.similarity * side - (side - 1)) {}

std::int64_t Steering::span() const {
  const double wanted = span_target_ + span_owed_ / span_rows + 1;
  return static_cast<std::int64_t>(std::clamp(wanted, 1.0, static_cast<double>(cols_)));
}

double Steering::pairs(std::int64_t length) const {
  return pair_target_ * static_cast<double>(length) + pairs_owed_ / pair_rows;
}

double Steering::likeness() const {
  return std::clamp(likeness_target_ + likeness_owed_ / likeness_rows, 0.0, 1.0);
}

void Steering::account(const Columns& before, const Columns& row) {
  const auto length = static_cast<double>(row.size());
  const double limit = static_cast<double>(cols_) * span_rows;
  span_owed_ += span_target_ - (row.back() - row.front());
  span_owed_ = std::clamp(span_owed_, -limit, limit);
  pairs_owed_ += pair_target_ * length - static_cast<double>(pair_count(row));
  if (before.empty()) return;
  likeness_owed_ += likeness_target_ - find_likeness(before, row, side_);
  likeness_owed_ = std::clamp(likeness_owed_, -16 * likeness_rows, 16 * likeness_rows);
}

std::int64_t pair_count(const Columns& row) {
  std::int64_t pairs = 0;
  for (std::size_t i = 1; i < row.size(); ++i) pairs += row[i] == row[i - 1] + 1;
  return pairs;
}

double find_likeness(const Columns& before, const Columns& row, int side) {
  std::int64_t close = 0;
  auto next = row.begin();
  for (const std::int32_t col : before) {
    while (next != row.end() && *next < col - 1) ++next;
    const bool left = next != row.end() && *next == col - 1;
    const auto at = left ? next + 1 : next;
    const bool here = at != row.end() && *at == col;
    const bool right = at != row.end() && *at == col + 1;
    close += here ? side : std::min(side, int{left} + int{right});
  }
  return static_cast<double>(close) / (static_cast<double>(before.size()) * side);
}

}  // namespace alphasparse::synthetic
