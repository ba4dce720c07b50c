#include "operators/converting/full_blocks.h"

#include <algorithm>

namespace alphasparse {

namespace {

/// The next block of a band, from the ascending columns [at, end) of its entries.
struct Next {
  std::int32_t col;
  std::vector<std::int32_t>::const_iterator behind;  ///< the first entry that it does not hold
};

Next next_block(const BlockShape& shape, std::vector<std::int32_t>::const_iterator at,
                std::vector<std::int32_t>::const_iterator end) {
  const std::int32_t col = shape.at_entries ? *at : *at / shape.cols * shape.cols;
  return {col, std::lower_bound(at, end, std::int64_t{col} + shape.cols)};
}

}  // namespace

FullBlocks full_blocks(const Store& store, const BlockShape& shape) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const std::int64_t positions = std::int64_t{shape.rows} * shape.cols;
  FullBlocks full;
  full.first.reserve(store.rows() / shape.rows + 2);
  std::vector<std::int32_t> columns;
  for (std::int32_t band = 0; band < store.rows(); band += shape.rows) {
    const std::int64_t end = std::min<std::int64_t>(std::int64_t{band} + shape.rows, store.rows());
    columns.assign(col.begin() + first[band], col.begin() + first[end]);
    std::sort(columns.begin(), columns.end());
    for (auto at = columns.cbegin(); at != columns.cend();) {
      const Next next = next_block(shape, at, columns.cend());
      const bool is_full = (next.behind - at) * 100 >= shape.share * positions;
      if (is_full) full.col.push_back(next.col);
      const bool leaves_one = shape.at_entries && !is_full;
      at = leaves_one ? std::upper_bound(at, columns.cend(), *at) : next.behind;
    }
    full.first.push_back(static_cast<std::int32_t>(full.col.size()));
    if (band > store.rows() - shape.rows) break;  // the next one could not be counted
  }
  return full;
}

}  // namespace alphasparse
