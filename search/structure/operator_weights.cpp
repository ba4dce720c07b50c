#include "search/structure/operator_weights.h"

#include <algorithm>

namespace alphasparse {

namespace {

constexpr std::int64_t small_nnz = 20'000;   // a further launch costs more than it can save
constexpr std::int64_t few_rows = 8'192;     // for a warp each, and all of a GPU's warps at work
constexpr std::int64_t large_x = 1'000'000;  // elements of x that no cache near a core holds

/// The most of all sizes of block.
double most(const Features& features, double BlockFeatures::*share) {
  double most = 0;
  for (const BlockFeatures& block : features.blocks) most = std::max(most, block.*share);
  return most;
}

WeightContext weight_context(const Store& store, const Features& features) {
  const RowFacts& rows = store.row_facts();
  const double mean = std::max(rows.length_mean, 1e-3);
  return {.rows = rows,
          .mean = mean,
          .spread = std::min(4.0, rows.length_variance / (mean * mean)),
          .has_few_rows = features.rows<few_rows, .is_wide = features.cols> large_x,
          .is_small = features.nnz < small_nnz,
          .is_branch = !store.description.empty(),
          .diagonal_share = features.fullest_diagonals,
          .block_share = most(features, &BlockFeatures::full_share),
          .block_fill = most(features, &BlockFeatures::fill)};
}

/// The stages follow one another. Out of its stage an operator is hardly ever legal, so it is asked
/// late.
double stage_share(Stage stage, const Store& store) {
  constexpr double out_of_stage = 0.005, after_compress = 0.15;
  const bool has_threads = store.level(Level::thread) != nullptr;
  switch (stage) {
    case Stage::converting:
      if (!store.levels().empty()) return out_of_stage;
      return store.compressed ? after_compress : 1;
    case Stage::mapping:
      return (store.compressed || store.listed) && !store.is_reducing() ? 1 : out_of_stage;
    case Stage::implementing:
      return has_threads ? 1 : out_of_stage;
  }
  CHECK(!"a stage without a share");
}

}  // namespace

double find_weight(const Operator& op, const Store& store, const Features& features) {
  const double weight = op.weight ? op.weight(weight_context(store, features)) : 1;
  return weight * stage_share(op.stage, store) * (store.on_cpu() ? op.on_cpu.weight_ratio : 1);
}

}  // namespace alphasparse
