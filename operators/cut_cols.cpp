// thread_cols: cuts within rows (the paper's BMT_COL_BLOCK) - into runs of `width` neighbouring
// non-zeros, or dealt cyclically to `lanes` neighbouring threads, as CSR-vector does (Bell, Garland
// 2009).
#include <algorithm>

#include "operators/all_operators.h"
#include "operators/cuts.h"

namespace alphasparse {

namespace {

std::optional<std::string> applies(const Store& store, const Arguments& arguments) {
  if (arguments.has("lanes")) {
    const std::int64_t lanes = arguments.integer("lanes");
    if ((lanes & (lanes - 1)) != 0) return "lanes must be a power of two";
  }
  return cannot_open(store, Level::thread, arguments.has("lanes") ? Cut::lanes : Cut::cols);
}

void open_lanes(Store& store, std::int32_t lanes) {
  LevelFacts facts;
  facts.level = Level::thread;
  facts.cut = Cut::lanes;
  facts.parent = store.innermost() ? store.innermost()->level : Level::matrix;
  facts.lanes = lanes;
  facts.rows_max = 1;
  facts.nz_max =
      static_cast<std::int32_t>((std::int64_t{store.row_facts().length_max} + lanes - 1) / lanes);
  facts.nz_min = store.row_facts().length_min / lanes;
  store.open(facts);
}

void apply(Store& store, const Arguments& arguments) {
  if (arguments.has("lanes")) return open_lanes(store, arguments.integer("lanes"));
  const std::int64_t width = arguments.integer("width");
  const Ints row_first = store.array({Level::matrix, Name::row_first_nz});
  open_level(store, Level::thread, Cut::cols, [&](const Span& span, std::vector<Unit>& units) {
    for (std::int32_t row = span.row; row < span.end_row; ++row) {
      for (std::int64_t nz = (*row_first)[row]; nz < (*row_first)[row + 1]; nz += width) {
        units.push_back({row, static_cast<std::int32_t>(nz)});
      }
    }
  });
}

/// Powers of two around the mean row length.
std::vector<std::int64_t> coarse_lanes(const RowFacts& rows) {
  std::vector<std::int64_t> values;
  for (std::int64_t lanes = 2; lanes <= 32; lanes *= 2) {
    if (lanes <= 4 * rows.length_mean || lanes == 2) values.push_back(lanes);
  }
  return values;
}

}  // namespace

const Operator thread_cols = {
    "thread_cols",
    Stage::mapping,
    "BMT_COL_BLOCK",
    "cuts each row for several threads: in runs of neighbours, or dealt to lanes in turn",
    {{.name = "width",
      .doc = "non-zeros of a run",
      .least = 1,
      .most = index_limit,
      .one_of = true,
      .coarse = [](const RowFacts&) { return powers_of_two(4, 64); }},
     {.name = "lanes",
      .doc = "threads that share a row, a power of two",
      .least = 2,
      .most = 32,
      .one_of = true,
      .coarse = coarse_lanes}},
    {{Level::matrix, Name::row_first_nz}},
    {},
    {},
    applies,
    apply,
};

}  // namespace alphasparse
