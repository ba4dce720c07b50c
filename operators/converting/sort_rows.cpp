// sort_rows, sort_rows_in_bands, block_sort_rows: rows by length, descending; over the whole matrix
// (the paper's SORT), inside bands of neighbouring rows (SORT_SUB, the sigma of SELL-C-sigma), or
// inside the rows of each block (SORT_BMTB). A layout may have other sizes of its rows than
// lengths. Equal lengths keep their order, and so do the rows of a band of dense blocks, which stay
// side by side.
#include <algorithm>
#include <numeric>

#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

std::optional<std::string> sort_rows_applies(const Store& store, const Arguments&) {
  if (!store.levels().empty())
    return "rows cannot move once a level is cut; put it before the first cut";
  return rejection(store, request::MoveRows{});
}

/// How many rows stay together: those of a band of dense blocks, which have one length, where all
/// bounds lie between bands.
std::int32_t rows_together(const Store& store, const std::vector<std::int32_t>& bounds) {
  const std::int32_t rows = store.blocks.rows;
  if (rows == 0) return 1;
  const bool between_bands = std::all_of(bounds.begin(), bounds.end() - 1,
                                         [&](std::int32_t bound) { return bound % rows == 0; });
  return between_bands ? rows : 1;
}

/// Sorts groups of so many neighbouring rows, which stay together, by the length of their first
/// row.
template <class Rows, class Longer>
void sort_groups(Rows begin, Rows end, std::int32_t together, const Longer& longer) {
  std::vector<std::int32_t> groups;
  for (Rows row = begin; end - row >= together; row += together) groups.push_back(*row);
  std::stable_sort(groups.begin(), groups.end(), longer);
  for (const std::int32_t row : groups) {
    for (std::int32_t k = 0; k < together; ++k) *begin++ = row + k;
  }
}

/// Sorts the rows between each two of the bounds. A last band of fewer rows stays the last.
void sort_between(Store& store, const std::vector<std::int32_t>& bounds) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const std::int32_t together = rows_together(store, bounds);
  const auto sizes_of = layout_kind(store).sizes;
  const std::vector<std::int64_t> sizes = sizes_of ? sizes_of(store) : std::vector<std::int64_t>{};
  const auto longer = [&](std::int32_t a, std::int32_t b) {
    if (!sizes.empty()) return sizes[a] > sizes[b];
    return first[a + 1] - first[a] > first[b + 1] - first[b];
  };
  std::vector<std::int32_t> order(store.rows());  // as a rule the one array beside the store's
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t band = 0; band + 1 < bounds.size(); ++band) {
    const auto begin = order.begin() + bounds[band], end = order.begin() + bounds[band + 1];
    if (together == 1)
      std::stable_sort(begin, end, longer);
    else
      sort_groups(begin, end, together, longer);
  }
  store.permute_rows(order);
}

/// In a branch of dense blocks, bands have whole bands of those.
void sort_bands(Store& store, std::int64_t band) {
  const std::int64_t together = std::max(1, store.blocks.rows);
  band = (band + together - 1) / together * together;
  std::vector<std::int32_t> bounds;
  for (std::int64_t row = 0; row < store.rows(); row += band) {
    bounds.push_back(static_cast<std::int32_t>(row));
  }
  bounds.push_back(store.rows());
  sort_between(store, bounds);
}

std::optional<std::string> block_sort_applies(const Store& store, const Arguments&) {
  const LevelFacts* inner = store.innermost();
  if (!inner) return "no block level is open; put block_rows before it";
  if (inner->level != Level::block) {
    return store.level(Level::block)
               ? "rows cannot move once a block is cut; put it before that cut"
               : "no block level is open";
  }
  if (inner->tiling != Tiling::rows)
    return "the blocks do not have whole rows; cut them with block_rows";
  return rejection(store, request::MoveRows{});
}

std::vector<std::int64_t> coarse_bands(const RowFacts&) { return {256, 1024, 4096, 16384}; }

const std::vector<Key> sorted_keys = {{Level::matrix, Name::row_first_nz},
                                      {Level::matrix, Name::row_origin},
                                      {Level::matrix, Name::nz_col},
                                      {Level::matrix, Name::value_source}};

}  // namespace

const Operator sort_rows = {
    "sort_rows",
    Stage::converting,
    "SORT",
    "sorts the rows by length, longest first",
    {},
    sorted_keys,
    {},
    sorted_keys,
    sort_rows_applies,
    [](Store& store, const Arguments&) { sort_bands(store, store.rows()); },
    [](const WeightContext& at) { return 0.3 + 0.5 * at.spread; },
    {.weight_ratio = 3},
};

const Operator block_sort_rows = {
    "block_sort_rows",
    Stage::mapping,
    "SORT_BMTB",
    "sorts the rows of each block by length, longest first",
    {},
    {{Level::block, Name::first_row}},
    {},
    sorted_keys,
    block_sort_applies,
    [](Store& store, const Arguments&) {
      sort_between(store, store.ints({Level::block, Name::first_row}));
    },
    [](const WeightContext& at) { return 0.3 + 0.5 * at.spread; },
    {.lacks = no_blocks, .instead = ""},
};

const Operator sort_rows_in_bands = {
    "sort_rows_in_bands",
    Stage::converting,
    "SORT_SUB",
    "sorts the rows by length inside bands of neighbouring rows",
    {{.name = "rows",
      .doc = "rows of a band",
      .least = 2,
      .most = index_limit,
      .coarse = coarse_bands,
      .coarse_on_cpu = coarse_bands}},
    sorted_keys,
    {},
    sorted_keys,
    sort_rows_applies,
    [](Store& store, const Arguments& arguments) { sort_bands(store, arguments.integer("rows")); },
    [](const WeightContext& at) { return 0.5 + at.spread; },
    {.weight_ratio = 2},
};

}  // namespace alphasparse
