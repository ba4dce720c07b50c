#include "operators/full_blocks.h"

#include <algorithm>

namespace alphasparse {

std::vector<std::vector<std::int32_t>> full_blocks(const Store& store, const BlockShape& shape) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const std::int64_t positions = std::int64_t{shape.rows} * shape.cols;
  std::vector<std::vector<std::int32_t>> bands;
  std::vector<std::int32_t> blocks;
  for (std::int32_t band = 0; band < store.rows(); band += shape.rows) {
    const std::int64_t end = std::min<std::int64_t>(std::int64_t{band} + shape.rows, store.rows());
    blocks.clear();
    for (std::int32_t nz = first[band]; nz < first[end]; ++nz) {
      blocks.push_back(col[nz] / shape.cols * shape.cols);
    }
    std::sort(blocks.begin(), blocks.end());
    std::vector<std::int32_t>& full = bands.emplace_back();
    for (auto at = blocks.begin(); at != blocks.end();) {
      const auto next = std::upper_bound(at, blocks.end(), *at);
      if ((next - at) * 100 >= shape.share * positions) full.push_back(*at);
      at = next;
    }
    if (band > store.rows() - shape.rows) break;  // the next one could not be counted
  }
  return bands;
}

}  // namespace alphasparse
