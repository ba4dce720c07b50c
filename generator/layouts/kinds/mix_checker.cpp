// mix_checker: the check of rows in blocks and single entries, row by row.
#include <algorithm>

#include "generator/layouts/layout_checker.h"

namespace alphasparse {

namespace {

class MixChecker : LayoutChecker {
 public:
  MixChecker(const Store& store, const Layout& layout)
      : LayoutChecker(store, layout), first_row_(store.ints({Level::thread, Name::first_row})) {}

  std::string first_violation() {
    (void)(common({.blocks = true}) && first_entries(1) && every_warp());
    return violation_;
  }

 private:
  bool every_warp() {
    const Entries& child = first_child();
    std::vector<std::int64_t> blocks;
    for (std::size_t warp = 0; warp + 1 < child.size(); ++warp)
      blocks.push_back(most_blocks(child[warp], child[warp + 1]));
    if (!has_room(blocks)) return false;
    std::int64_t block = 0;
    for (std::size_t warp = 0; warp < blocks.size(); ++warp) {
      for (std::int32_t lane = 0; lane < layout_.stride; ++lane) {
        const std::int32_t part = child[warp] + lane;
        const std::int32_t row = part < child[warp + 1] ? first_row_[part] : -1;
        if (!one_row(warp, row, lane, block, blocks[warp])) return false;
      }
      block += blocks[warp] * layout_.stride;
    }
    return true;
  }

  /// The arrays are as long as so many blocks of each thread of a warp need.
  bool has_room(const std::vector<std::int64_t>& blocks) {
    const DenseBlocks& stored = *layout_.blocks;
    std::int64_t all = 0;
    for (std::size_t warp = 0; warp < blocks.size(); ++warp) {
      const std::int64_t of_warp = blocks[warp] * layout_.stride;
      all += of_warp;
      const std::int64_t entries = layout_.first_entry[warp + 1] - layout_.first_entry[warp];
      if (entries >= of_warp * width_) continue;
      return fail("warp {} has {} entries, but {} blocks", warp, entries, of_warp);
    }
    const auto count = static_cast<std::size_t>(all);
    if (stored.first_col.size() == count && stored.bits.size() == count) return true;
    return fail("there are {} blocks with {} words of bits, not {}", stored.first_col.size(),
                stored.bits.size(), count);
  }

  std::int64_t most_blocks(std::int32_t part, std::int32_t end_part) const {
    std::int64_t most = 0;
    for (; part < end_part; ++part) {
      const auto end = col_.begin() + row_first_[first_row_[part] + 1];
      std::int64_t blocks = 0;
      for (auto at = col_.begin() + row_first_[first_row_[part]]; at < end;) {
        const auto next = std::lower_bound(at, end, std::int64_t{*at} + width_);
        const bool is_block = next - at >= least_;
        blocks += is_block;
        at = is_block ? next : at + 1;
      }
      most = std::max(most, blocks);
    }
    return most;
  }

  /// The lane's blocks, and then its single entries, have all entries of its row. The warp's blocks
  /// begin with number `block`.
  bool one_row(std::size_t warp, std::int32_t row, std::int32_t lane, std::int64_t block,
               std::int64_t blocks) {
    const std::int64_t base = layout_.first_entry[warp], end = layout_.first_entry[warp + 1];
    std::int64_t entries = 0;
    for (std::int64_t k = 0; k < blocks; ++k) {
      const std::int64_t number = k * layout_.stride + lane;
      if (!one_block(block + number, base + number * width_, row, entries)) return false;
    }
    for (std::int64_t at = base + blocks * layout_.stride * width_ + lane; at < end;
         at += layout_.stride) {
      if (!one_cell(at, row, layout_.column[at], entries)) return false;
    }
    const std::int64_t length = row < 0 ? 0 : row_first_[row + 1] - row_first_[row];
    if (entries != length) return fail("row {} has {} entries, not {}", row, entries, length);
    const bool adds_pads_alone = row >= 0 && length == 0 && base < end;
    return is_cleared_right(warp, lane, adds_pads_alone);
  }

  /// Where the row does not have the column, the block has no bit.
  bool one_block(std::int64_t block, std::int64_t at, std::int32_t row, std::int64_t& entries) {
    const std::int32_t first_col = layout_.blocks->first_col[block];
    if (first_col < 0 || first_col > std::max(0, store_.cols() - width_))
      return fail("first_col[{}] is {}: the block hangs over an edge", block, first_col);
    for (std::int32_t cell = 0; cell < width_; ++cell, ++at) {
      if (!one_cell(at, row, first_col + cell, entries)) return false;
      if ((layout_.blocks->bits[block] >> cell & 1) == (layout_.value_source[at] >= 0)) continue;
      return fail("bit {} of block {} is not what stands at column {} of row {}", cell, block,
                  first_col + cell, row);
    }
    return true;
  }

  /// A position has an entry of the row and the column, or a pad.
  bool one_cell(std::int64_t at, std::int32_t row, std::int32_t column, std::int64_t& entries) {
    if (layout_.value_source[at] < 0)
      return is_pad(at, row >= 0 && row_first_[row] < row_first_[row + 1] ? row : -1, 0);
    ++entries;
    for (std::int32_t nz = row < 0 ? 0 : row_first_[row]; row >= 0 && nz < row_first_[row + 1];
         ++nz) {
      if (col_[nz] == column) return holds(at, nz);
    }
    return fail("value_source[{}] is {}, but row {} has no column {}", at, layout_.value_source[at],
                row, column);
  }

  const Entries& first_row_;
  const Mix& mix_ = *store_.layout_as<Mix>();
  const std::int32_t width_ = mix_.width(store_.cols()), least_ = mix_.least_of(store_.cols());
};

}  // namespace

std::string Mix::violation(const Store& store, const Layout& layout) {
  return MixChecker(store, layout).first_violation();
}

}  // namespace alphasparse
