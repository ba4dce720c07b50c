// feature_list: features as named numbers, and back.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "search/learning/features.h"

namespace alphasparse {

namespace {

/// Calls `take(name, field)` for every feature, in the order of feature_list.
template <class SomeFeatures, class Take>
void for_each_feature(SomeFeatures& f, const Take& take) {
  auto &row = f.row_lengths, &col = f.col_counts;
  take("rows", f.rows);
  take("cols", f.cols);
  take("nnz", f.nnz);
  take("stored_zeros", f.stored_zeros);
  take("diagonal_entries", f.diagonal_entries);
  take("pattern_symmetry", f.pattern_symmetry);
  take("value_symmetry", f.value_symmetry);
  take("skew_symmetry", f.skew_symmetry);
  take("row_empty", row.empty);
  take("row_length_min", row.min);
  take("row_length_mean", row.mean);
  take("row_length_max", row.max);
  take("row_length_variance", row.variance);
  take("row_length_skew", row.skew);
  take("row_length_p10", row.quantiles[0]);
  take("row_length_p25", row.quantiles[1]);
  take("row_length_p50", row.quantiles[2]);
  take("row_length_p75", row.quantiles[3]);
  take("row_length_p90", row.quantiles[4]);
  take("row_length_p99", row.quantiles[5]);
  take("col_empty", col.empty);
  take("col_count_min", col.min);
  take("col_count_mean", col.mean);
  take("col_count_max", col.max);
  take("col_count_variance", col.variance);
  take("col_count_skew", col.skew);
  take("col_count_p10", col.quantiles[0]);
  take("col_count_p25", col.quantiles[1]);
  take("col_count_p50", col.quantiles[2]);
  take("col_count_p75", col.quantiles[3]);
  take("col_count_p90", col.quantiles[4]);
  take("col_count_p99", col.quantiles[5]);
  take("band_below", f.band_below);
  take("band_above", f.band_above);
  take("profile", f.profile);
  take("col_gap_mean", f.col_gap_mean);
  take("bandwidth", f.locality.bandwidth);
  take("neighbours", f.locality.neighbours);
  take("similarity", f.locality.similarity);
  take("row_similarity", f.row_similarity);
  take("block3_full_share", f.blocks[0].full_share);
  take("block3_fill", f.blocks[0].fill);
  take("block4_full_share", f.blocks[1].full_share);
  take("block4_fill", f.blocks[1].fill);
  take("block8_full_share", f.blocks[2].full_share);
  take("block8_fill", f.blocks[2].fill);
  take("diagonals", f.diagonals);
  take("fullest_diagonals", f.fullest_diagonals);
  take("distinct_values", f.distinct_values);
  take("beyond_f32", f.beyond_f32);
}

/// False where the number is no such field.
bool assign(double number, double& field) {
  field = number;
  return std::isfinite(number);
}

bool assign(double number, std::int64_t& field) {
  constexpr double count_max = 9e15;  // integers below it are doubles
  if (!(number >= 0 && number <= count_max) || number != std::floor(number)) return false;
  field = static_cast<std::int64_t>(number);
  return true;
}

}  // namespace

std::vector<NamedFeature> feature_list(const Features& features) {
  std::vector<NamedFeature> list;
  for_each_feature(features, [&](std::string_view name, const auto& field) {
    list.push_back({name, static_cast<double>(field)});
  });
  return list;
}

std::optional<Features> features_of_list(
    const std::vector<std::pair<std::string, double>>& numbers) {
  Features features;
  bool whole = true;
  std::size_t next = 0;  // they mostly stand in this order
  for_each_feature(features, [&](std::string_view name, auto& field) {
    if (next == numbers.size() || numbers[next].first != name) {
      const auto found = std::find_if(numbers.begin(), numbers.end(),
                                      [&](const auto& each) { return each.first == name; });
      next = static_cast<std::size_t>(found - numbers.begin());
    }
    whole = whole && next < numbers.size() && assign(numbers[next].second, field);
    next = std::min(next + 1, numbers.size());
  });
  return whole ? std::optional(features) : std::nullopt;
}

}  // namespace alphasparse
