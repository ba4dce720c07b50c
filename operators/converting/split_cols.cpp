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
std::vector<std::int32_t> column_cuts(const Store& store, const Arguments& arguments) {
  const int count = parts(arguments);
  std::vector<std::int32_t> cuts;
  if (arguments.word("by") == "cols") {
    for (int part = 1; part < count; ++part) {
      cuts.push_back(static_cast<std::int32_t>(std::int64_t{store.cols()} * part / count));
    }
    return cuts;
  }
  std::vector<std::int64_t> before(static_cast<std::size_t>(store.cols()) + 1, 0);
  for (const std::int32_t col : store.ints({Level::matrix, Name::nz_col})) {
    if (col >= 0) ++before[col + 1];
  }
  for (std::int32_t col = 0; col < store.cols(); ++col) before[col + 1] += before[col];
  for (int part = 1; part < count; ++part) {
    const std::int64_t target = before.back() * part / count;
    const auto at = std::lower_bound(before.begin(), before.end(), target);
    cuts.push_back(static_cast<std::int32_t>(at - before.begin()));
  }
  return cuts;
}

Result<std::vector<Store>> split_at_columns(const Store& store, const Arguments& arguments) {
  const std::vector<std::int32_t> cuts = column_cuts(store, arguments);
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  std::vector<std::string> about;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    about.push_back(fmt::format("columns {} to {}", i == 0 ? 0 : cuts[i - 1],
                                (i == cuts.size() ? store.cols() : cuts[i]) - 1));
  }
  return split_by_entries(store, about, [&](std::int32_t, std::int32_t nz) {
    return static_cast<int>(std::upper_bound(cuts.begin(), cuts.end(), col[nz]) - cuts.begin());
  });
}

}  // namespace

const Operator col_split = {
    .name = "col_split",
    .stage = Stage::converting,
    .paper = "COL_DIV",
    .about = "cuts the matrix into bands of columns; every band is a branch",
    .parameters = {{.name = "parts", .doc = "bands", .least = 2, .most = 64},
                   {.name = "by",
                    .doc = "nnz: bands of as many non-zeros; cols: of as many columns",
                    .fallback = "nnz",
                    .words = {"nnz", "cols"}}},
    .required = matrix_keys(),
    .provided = {},
    .invalidated = matrix_keys(),
    .applies = cannot_split,
    .apply = nullptr,
    .weight = [](const Outlook& at) { return at.of_branches(at.is_wide ? 1.5 : 0.2); },
    .branches = parts,
    .split = split_at_columns,
};

}  // namespace alphasparse
