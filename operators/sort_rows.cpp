// sort_rows, sort_rows_in_bands: rows by length, descending; over the whole matrix (the paper's
// SORT) or inside bands of neighbouring rows (SORT_SUB, the sigma of SELL-C-sigma). Equal lengths
// keep their order.
#include <algorithm>
#include <numeric>

#include "operators/all_operators.h"

namespace alphasparse {

namespace {

std::optional<std::string> applies(const Store& store, const Arguments&) {
  if (!store.levels().empty()) return "rows cannot move once a level is cut";
  return std::nullopt;
}

void sort_bands(Store& store, std::int64_t band) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  std::vector<std::int32_t> order(store.rows());
  std::iota(order.begin(), order.end(), 0);
  const auto longer = [&](std::int32_t a, std::int32_t b) {
    return first[a + 1] - first[a] > first[b + 1] - first[b];
  };
  for (std::int64_t begin = 0; begin < store.rows(); begin += band) {
    const std::int64_t end = std::min<std::int64_t>(begin + band, store.rows());
    std::stable_sort(order.begin() + begin, order.begin() + end, longer);
  }
  store.permute_rows(order);
}

std::vector<std::int64_t> coarse_bands(const RowFacts&) { return {256, 1024, 4096, 16384}; }

const std::vector<Key> rows_keys = {{Level::matrix, Name::row_first_nz},
                                    {Level::matrix, Name::row_origin},
                                    {Level::matrix, Name::nz_col},
                                    {Level::matrix, Name::value_source}};

}  // namespace

const Operator sort_rows = {
    "sort_rows", Stage::converting,
    "SORT",      "sorts the rows by length, longest first",
    {},          rows_keys,
    {},          rows_keys,
    applies,     [](Store& store, const Arguments&) { sort_bands(store, store.rows()); },
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
      .coarse = coarse_bands}},
    rows_keys,
    {},
    rows_keys,
    applies,
    [](Store& store, const Arguments& arguments) { sort_bands(store, arguments.integer("rows")); },
};

}  // namespace alphasparse
