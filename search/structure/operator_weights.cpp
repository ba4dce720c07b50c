#include "search/structure/operator_weights.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace alphasparse {

namespace {

constexpr std::int64_t small_nnz = 20'000;   // a further launch costs more than it can save
constexpr std::int64_t few_rows = 8'192;     // for a warp each, and all of a GPU's warps at work
constexpr std::int64_t large_x = 1'000'000;  // elements of x that no cache near a core holds

/// The facts from which weights are made.
struct Outlook {
  const Features& matrix;
  RowFacts rows;  ///< of the branch
  double mean;    ///< row length
  double spread;  ///< variance of the row lengths over the squared mean, at most 4
  double giant;   ///< longest row over the mean
  bool is_small;  ///< the whole matrix is
  bool is_branch;

  /// Whether some row is so long, or long enough where there are too few rows for a whole GPU.
  bool splits_rows(std::int64_t long_row, std::int64_t few_rows_length) const {
    const std::int64_t length = rows.length_max;
    return length > long_row || (matrix.rows < few_rows && length > few_rows_length);
  }
};

Outlook outlook_of(const Store& store, const Features& features) {
  const RowFacts& rows = store.row_facts();
  const double mean = std::max(rows.length_mean, 1e-3);
  return {features,
          rows,
          mean,
          std::min(4.0, rows.length_variance / (mean * mean)),
          rows.length_max / mean,
          features.nnz < small_nnz,
          !store.about.empty()};
}

double block_share(const Features& features) {
  double share = 0;
  for (const BlockFeatures& block : features.blocks) share = std::max(share, block.full_share);
  return share;
}

double block_fill(const Features& features) {
  double fill = 0;
  for (const BlockFeatures& block : features.blocks) fill = std::max(fill, block.fill);
  return fill;
}

/// The weight of branches: each costs a launch, and nested ones are rarely worth it.
double branching(const Outlook& at, double weight) {
  return weight * (at.is_small ? 0.3 : 1) * (at.is_branch ? 0.3 : 1);
}

using Weight = double (*)(const Outlook&);

const std::map<std::string_view, Weight>& table() {
  static const std::map<std::string_view, Weight> all = {
      // converting
      {"compress", [](const Outlook&) { return 10.0; }},
      {"sort_rows", [](const Outlook& at) { return 0.3 + 0.5 * at.spread; }},
      {"sort_rows_in_bands", [](const Outlook& at) { return 0.5 + at.spread; }},
      {"reorder", [](const Outlook& at) { return at.is_small ? 0.3 : 0.8; }},
      {"symmetric_half", [](const Outlook&) { return 1.5; }},
      {"bin_rows", [](const Outlook& at) { return branching(at, 0.3 + at.spread); }},
      {"row_split", [](const Outlook& at) { return branching(at, 0.3 + 0.2 * at.spread); }},
      {"col_split",
       [](const Outlook& at) { return branching(at, at.matrix.cols > large_x ? 1.5 : 0.2); }},
      {"ell_peel", [](const Outlook& at) { return branching(at, 0.3 + 0.5 * at.spread); }},
      {"diagonal_peel",
       [](const Outlook& at) { return branching(at, 0.1 + 3 * at.matrix.fullest_diagonals); }},
      {"dense_block_peel",
       [](const Outlook& at) { return branching(at, 0.1 + 4 * block_share(at.matrix)); }},
      {"bitmap_block_peel",
       [](const Outlook& at) { return branching(at, 0.1 + 3 * block_fill(at.matrix)); }},
      // mapping
      {"block_rows", [](const Outlook&) { return 3.0; }},
      {"warp_rows", [](const Outlook&) { return 2.5; }},
      {"warp_bands", [](const Outlook&) { return 4.0; }},
      {"thread_bands", [](const Outlook&) { return 8.0; }},
      {"thread_rows", [](const Outlook& at) { return 0.3 + 8 / (1 + 3 * at.spread); }},
      {"thread_cols", [](const Outlook& at) { return at.mean >= 4 ? 5.0 : 1.5; }},
      {"block_cols", [](const Outlook& at) { return at.splits_rows(4096, 512) ? 1.5 : 0.1; }},
      {"warp_cols", [](const Outlook& at) { return at.splits_rows(512, 64) ? 1.5 : 0.2; }},
      {"block_nnz", [](const Outlook& at) { return 0.7 + 0.5 * at.spread; }},
      {"warp_nnz", [](const Outlook& at) { return 1.5 + at.spread; }},
      {"thread_nnz", [](const Outlook& at) { return 1.0 + 0.5 * at.spread; }},
      {"block_merge_path", [](const Outlook& at) { return 1.0 + 0.5 * at.spread; }},
      {"warp_merge_path", [](const Outlook& at) { return 0.7 + 0.5 * at.spread; }},
      {"thread_merge_path", [](const Outlook&) { return 0.5; }},
      {"block_sort_rows", [](const Outlook& at) { return 0.3 + 0.5 * at.spread; }},
      {"thread_pad", [](const Outlook& at) { return 0.3 + 4 / (1 + 2 * at.spread); }},
      {"warp_diagonals", [](const Outlook& at) { return 0.5 + 3 * at.matrix.fullest_diagonals; }},
      {"interleave", [](const Outlook&) { return 8.0; }},
      {"block_pad", [](const Outlook&) { return 0.5; }},
      {"warp_pad", [](const Outlook&) { return 0.5; }},
      {"stage_x", [](const Outlook&) { return 0.5; }},
      // implementing
      {"thread_total", [](const Outlook&) { return 5.0; }},
      {"thread_bitmap", [](const Outlook&) { return 5.0; }},
      {"thread_merge", [](const Outlook&) { return 5.0; }},
      {"warp_total", [](const Outlook&) { return 8.0; }},
      {"warp_bitmap", [](const Outlook&) { return 6.0; }},
      {"warp_segment", [](const Outlook&) { return 8.0; }},
      {"shared_total", [](const Outlook&) { return 6.0; }},
      {"shared_offset", [](const Outlook&) { return 5.0; }},
      {"global_store", [](const Outlook&) { return 20.0; }},
      {"global_add", [](const Outlook& at) { return at.is_branch ? 2.0 : 0.2; }},
      {"global_atomic", [](const Outlook&) { return 1.0; }},
      {"global_carry", [](const Outlook&) { return 1.0; }},
      {"compact", [](const Outlook&) { return 3.0; }},
      {"launch", [](const Outlook&) { return 6.0; }},
  };
  return all;
}

/// The operators that suit a CPU's cores better, or worse, than a GPU's. Gangs of rows that are
/// sorted by their lengths win, and operators that add to rows that others write lose.
double cpu_share(std::string_view op) {
  static const std::map<std::string_view, double> all = {
      {"sort_rows", 3},    {"sort_rows_in_bands", 2},  {"warp_rows", 3},      {"warp_nnz", 0.5},
      {"thread_nnz", 0.3}, {"thread_merge_path", 0.3}, {"thread_bitmap", 0.5}};
  const auto found = all.find(op);
  return found == all.end() ? 1 : found->second;
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

double weight_of(const Operator& op, const Store& store, const Features& features) {
  const auto found = table().find(op.name);
  const double weight = found == table().end() ? 1 : found->second(outlook_of(store, features));
  return weight * stage_share(op.stage, store) * (store.on_cpu() ? cpu_share(op.name) : 1);
}

}  // namespace alphasparse
