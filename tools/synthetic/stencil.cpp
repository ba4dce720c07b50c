#include "tools/synthetic/stencil.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace alphasparse::synthetic {

namespace {

constexpr double rounding = 0.01;  // of neighbours that are written with two digits

/// Lengths of the runs of a stencil of so many points and pairs, the longer ones first.
std::vector<std::int64_t> cut_runs(std::int64_t points, std::int64_t pairs) {
  const std::int64_t runs = points - pairs;
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(runs), points / runs);
  std::int64_t unused = points % runs;
  for (std::int64_t& length : lengths) {
    const std::int64_t more = std::min<std::int64_t>(unused, 2);
    length += more;
    unused -= more;
  }
  return lengths;
}

/// Pairs among the first `points` points of the runs.
std::int64_t count_pairs(const std::vector<std::int64_t>& runs, std::int64_t points) {
  std::int64_t pairs = 0;
  for (const std::int64_t run : runs) {
    pairs += std::max<std::int64_t>(0, std::min(run, points) - 1);
    points -= std::min(run, points);
  }
  return pairs;
}

}  // namespace

StencilWalk::StencilWalk(const SyntheticOptions& options, std::int64_t longest,
                         std::int64_t stretch)
    : rows_(options.rows),
      cols_(options.cols),
      stretch_(stretch),
      span_(std::min(options.cols,
                     std::max(longest, static_cast<std::int64_t>(
                                           options.bandwidth * static_cast<double>(options.cols)) +
                                           1))),
      steering_(options, 1) {
  if (longest == 0) return;  // no row has a distance
  // The most pairs that rows of mean length do not have too many of, and one more.
  const std::int64_t length = std::clamp<std::int64_t>(std::llround(options.mean), 1, longest);
  const double wanted = options.neighbours * static_cast<double>(length) / 2 + rounding;
  std::int64_t least = 0, most = longest - 1;  // pairs of the longest row
  while (least < most) {
    const std::int64_t middle = (least + most + 1) / 2;
    const bool fits = static_cast<double>(count_pairs(cut_runs(longest, middle), length)) <= wanted;
    (fits ? least : most) = fits ? middle : middle - 1;
  }
  for (int field = 0; field < fields; ++field) {
    for (int kind = 0; kind < kinds; ++kind) {
      distances_[field][kind] =
          distances(cut_runs(longest, std::min(least + kind, longest - 1)), field);
      const auto [low, high] =
          std::minmax_element(distances_[field][kind].begin(), distances_[field][kind].end());
      low_ = std::min(low_, *low);
      high_ = std::max(high_, *high);
    }
  }
}

/// Runs of neighbours at 0, at both ends of the span, then in between, denser near 0.
std::vector<std::int64_t> StencilWalk::distances(const std::vector<std::int64_t>& runs,
                                                 int field) const {
  const auto count = static_cast<std::int64_t>(runs.size());
  const std::int64_t half = (span_ - 1) / 2, layers = std::max<std::int64_t>(1, count / 2);
  std::vector<std::int64_t> result;
  std::set<std::int64_t> taken;
  const auto take = [&](std::int64_t distance) {  // or the free one next to it
    std::int64_t away = 0;
    const auto free = [&](std::int64_t at) {
      return at >= -half && at < span_ - half && taken.count(at) == 0;
    };
    while (!free(distance - away) && !free(distance + away)) ++away;
    result.push_back(free(distance - away) ? distance - away : distance + away);
    taken.insert(result.back());
  };
  for (std::int64_t index = 0; index < count; ++index) {
    const std::int64_t length = runs[static_cast<std::size_t>(index)];
    // index 0: the center; 1 and 2: the outermost layer, left and right; then the ones inside.
    const std::int64_t layer = layers - (index - 1) / 2;
    std::int64_t distance = index == 0 ? 0 : half * layer / layers * layer / layers;
    if (index > 0) distance -= field * (runs.back() + 5);
    std::int64_t first = -(length / 2);
    if (index > 0) first = index % 2 == 1 ? -distance : distance - length + 1;
    for (std::int64_t i = 0; i < length; ++i) take(first + i);
  }
  return result;
}

const Columns& StencilWalk::next(std::int64_t length) {
  ++row_number_;
  if (steering_.too_alike()) field_ = 1 - field_;
  if (row_number_ % stretch_ == 0) kind_ = steering_.pairs(0) > 0 ? 1 : 0;
  const std::vector<std::int64_t>& distances = distances_[field_][kind_];
  const std::int64_t diagonal = row_number_ * cols_ / rows_;
  const std::int64_t base = std::clamp(diagonal, -low_, std::max(-low_, cols_ - 1 - high_));
  row_.clear();
  for (std::int64_t i = 0; i < length; ++i)
    row_.push_back(static_cast<std::int32_t>(base + distances[static_cast<std::size_t>(i)]));
  if (length == 0) {
    steering_.account_empty();
    return row_;
  }
  std::sort(row_.begin(), row_.end());
  steering_.account(before_, row_);
  before_ = row_;
  return row_;
}

}  // namespace alphasparse::synthetic
