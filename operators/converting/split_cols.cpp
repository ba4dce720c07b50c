// col_split: branches of neighbouring columns (the paper's COL_DIV), so that each works on a slice
// of x that caches hold.
#include <fmt/format.h>

#include <algorithm>

#include "operators/all_operators.h"
#include "operators/converting/splits.h"

namespace alphasparse {

namespace {

int parts(const Arguments& arguments) { return static_cast<int>(arguments.integer("parts")); }

/// First column of every part but the first.
std::vector<std::int32_t> column_bounds(const Store& store, const Arguments& arguments) {
  const int count = parts(arguments);
  std::vector<std::int32_t> bounds;
  if (arguments.text("by") == "cols") {
    for (int part = 1; part < count; ++part) {
      bounds.push_back(static_cast<std::int32_t>(std::int64_t{store.cols()} * part / count));
    }
    return bounds;
  }
  std::vector<std::int64_t> before(static_cast<std::size_t>(store.cols()) + 1, 0);
  for (const std::int32_t col : store.ints({Level::matrix, Name::nz_col})) {
    if (col >= 0) ++before[col + 1];
  }
  for (std::int32_t col = 0; col < store.cols(); ++col) before[col + 1] += before[col];
  for (int part = 1; part < count; ++part) {
    const std::int64_t target = before.back() * part / count;
    const auto at = std::lower_bound(before.begin(), before.end(), target);
    bounds.push_back(static_cast<std::int32_t>(at - before.begin()));
  }
  return bounds;
}

Result<std::vector<Store>> split_at_columns(const Store& store, const Arguments& arguments) {
  const std::vector<std::int32_t> bounds = column_bounds(store, arguments);
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  std::vector<std::string> description;
  for (std::size_t i = 0; i <= bounds.size(); ++i) {
    description.push_back(fmt::format("columns {} to {}", i == 0 ? 0 : bounds[i - 1],
                                      (i == bounds.size() ? store.cols() : bounds[i]) - 1));
  }
  return split_by_entries(store, description, [&](std::int32_t, std::int32_t nz) {
    return static_cast<int>(std::upper_bound(bounds.begin(), bounds.end(), col[nz]) -
                            bounds.begin());
  });
}

}  // namespace

const Operator col_split = {
    .name = "col_split",
    .stage = Stage::converting,
    .paper = "COL_DIV",
    .doc = "cuts the matrix into bands of columns; every band is a branch",
    .parameters = {{.name = "parts", .doc = "bands", .least = 2, .most = 64},
                   {.name = "by",
                    .doc = "nnz: bands of as many non-zeros; cols: of as many columns",
                    .fallback = "nnz",
                    .choices = {"nnz", "cols"}}},
    .required = matrix_keys(),
    .provided = {},
    .invalidated = matrix_keys(),
    .applies = cannot_split,
    .apply = nullptr,
    .weight = [](const WeightContext& at) { return at.branch_weight(at.is_wide ? 1.5 : 0.2); },
    .branches = parts,
    .split = split_at_columns,
};

}  // namespace alphasparse
