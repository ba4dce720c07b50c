#include "search/strategies/run_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "operators/parameter_grid.h"
#include "search/estimates/sample.h"

namespace alphasparse {

namespace {

constexpr std::int64_t sampled_nnz = 128'000;
constexpr double share_of_grid = 0.3;  // of places that are entries, at least
constexpr double share_least_f32 = 0.45, share_least_f64 = 0.55;

struct RunShape {
  std::int32_t rows, cols;
  bool in_doubles = true;  ///< else a run of doubles would be too long to be filled
};

/// The shapes that won on some matrix, the most frequent first.
constexpr std::array<RunShape, 6> shapes = {
    {{2, 2}, {2, 4}, {3, 4}, {1, 4}, {3, 2}, {1, 8, false}}};

/// Those of triangles, whose values are read once for two products.
constexpr std::array<RunShape, 6> triangle_shapes = {
    {{3, 4}, {2, 2}, {2, 4}, {4, 4}, {3, 2}, {6, 4}}};
constexpr double share_least_triangle = 0.35;

/// Greedy blocks over the rows [first_row, end_row).
std::int64_t blocks_of_band(const Matrix& matrix, std::int32_t first_row, std::int32_t end_row,
                            std::int32_t cols) {
  std::vector<std::pair<std::int32_t, std::int32_t>> left;  // of each row
  for (std::int32_t row = first_row; row < end_row; ++row)
    left.emplace_back(matrix.row_first[row], matrix.row_first[row + 1]);
  for (std::int64_t blocks = 0;; ++blocks) {
    std::int64_t first = matrix.cols;
    for (const auto& [at, end] : left)
      if (at < end) first = std::min<std::int64_t>(first, matrix.col[at]);
    if (first == matrix.cols) return blocks;
    for (auto& [at, end] : left)
      while (at < end && matrix.col[at] < first + cols) ++at;
  }
}

CanonicalDesign with_shape(const RunShape& shape) {
  Design design = *parse_design(resolve_design("runs", Target::cpu));
  set_parameter(design.steps.front(), "rows", std::to_string(shape.rows));
  set_parameter(design.steps.front(), "cols", std::to_string(shape.cols));
  return CanonicalDesign::of(design).value();
}

/// Gangs of two bands, whose sums fill registers where values are wide or columns are many.
CanonicalDesign narrow_gangs(Design design) {
  for_each_step(design, [](Step& step) {
    if (step.op == "warp_bands") set_parameter(step, "bands", "2");
  });
  return CanonicalDesign::of(design).value();
}

}  // namespace

double share_of_entries(const Matrix& matrix, std::int32_t rows, std::int32_t cols) {
  std::int64_t blocks = 0;
  for (std::int32_t row = 0, end = 0; row < matrix.rows; row = end) {
    end = row + std::min(rows, matrix.rows - row);
    const bool is_empty = matrix.row_first[row] == matrix.row_first[end];  // as most may be
    if (!is_empty) blocks += blocks_of_band(matrix, row, end, cols);
  }
  const double cells = static_cast<double>(blocks) * rows * cols;
  return cells > 0 ? static_cast<double>(matrix.nnz()) / cells : 0;
}

Designs run_designs(const Matrix& matrix, Dtype dtype) {
  if (matrix.nnz() == 0) return {};
  const bool is_wide = number_type(dtype).bytes > 4;
  const double least = is_wide ? share_least_f64 : share_least_f32;
  const Matrix sample = make_sample(matrix, sampled_nnz);
  Designs designs;
  for (const RunShape& shape : shapes) {
    if (is_wide && !shape.in_doubles) continue;
    if (share_of_entries(sample, shape.rows, shape.cols) < least) continue;
    designs.push_back(with_shape(shape));
    if (is_wide) designs.push_back(narrow_gangs(designs.back().tree()));
  }
  if (is_wide) designs.push_back(narrow_gangs(*parse_design(resolve_design("bsell", Target::cpu))));
  return designs;
}

Designs triangle_designs(const Matrix& matrix, Dtype dtype, int vectors) {
  if (matrix.nnz() == 0 || find_mirror(matrix) == Mirror::none) return {};
  constexpr std::string_view rows =
      "compress | thread_rows rows=1 | thread_total | global_atomic | compact columns=narrow "
      "structure=full values=full | launch tasks=bytes";
  std::vector<std::string> lines = {fmt::format("symmetric_half | {}", rows)};
  const Matrix sample = make_sample(matrix, sampled_nnz);
  for (const RunShape& shape : triangle_shapes) {
    if (number_type(dtype).is_complex() || vectors > 1) break;  // blocks are for real vectors
    if (share_of_entries(sample, shape.rows, shape.cols) < share_least_triangle) continue;
    lines.push_back(fmt::format(
        "symmetric_half | dense_block_peel rows={} cols={} share=0 from=entry {{ thread_bands | "
        "thread_total | global_atomic | launch tasks=bytes }} {{ {} }}",
        shape.rows, shape.cols, rows));
  }
  Designs designs;
  for (const std::string& line : lines) designs.push_back(CanonicalDesign::read(line).value());
  return designs;
}

BlockFill::BlockFill(const Matrix& matrix) : sample_(make_sample(matrix, sampled_nnz)) {}

bool BlockFill::are_mostly_pads(const CanonicalDesign& design) {
  const Step& first = design.tree().steps.front();
  if (first.op != "dense_block_peel") return false;
  const Arguments arguments = check_arguments(first).value();
  if (arguments.text("from") != "entry" || arguments.integer("share") != 0) return false;
  const auto rows = static_cast<std::int32_t>(arguments.integer("rows")),
             cols = static_cast<std::int32_t>(arguments.integer("cols"));
  const auto [share, is_new] = share_.try_emplace({rows, cols}, 0);
  if (is_new) share->second = share_of_entries(sample_, rows, cols);
  return share->second < share_of_grid;
}

}  // namespace alphasparse
