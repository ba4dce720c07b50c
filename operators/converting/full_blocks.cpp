#include "operators/converting/full_blocks.h"

#include <algorithm>

namespace alphasparse {

FullBlocks full_blocks(const Store& store, const BlockShape& shape) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const std::int64_t positions = std::int64_t{shape.rows} * shape.cols;
  FullBlocks full;
  full.first.reserve(store.rows() / shape.rows + 2);
  std::vector<std::int32_t> blocks;
  for (std::int32_t band = 0; band < store.rows(); band += shape.rows) {
    const std::int64_t end = std::min<std::int64_t>(std::int64_t{band} + shape.rows, store.rows());
    blocks.clear();
    for (std::int32_t nz = first[band]; nz < first[end]; ++nz) {
      blocks.push_back(col[nz] / shape.cols * shape.cols);
    }
    std::sort(blocks.begin(), blocks.end());
    for (auto at = blocks.begin(); at != blocks.end();) {
      const auto next = std::upper_bound(at, blocks.end(), *at);
      if ((next - at) * 100 >= shape.share * positions) full.col.push_back(*at);
      at = next;
    }
    full.first.push_back(static_cast<std::int32_t>(full.col.size()));
    if (band > store.rows() - shape.rows) break;  // the next one could not be counted
  }
  return full;
}

}  // namespace alphasparse
