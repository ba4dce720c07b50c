// dense_blocks_checker: the check of bands of dense blocks, block by block.
#include <algorithm>

#include "generator/layouts/kinds/dense_blocks.h"
#include "generator/layouts/layout_checker.h"

namespace alphasparse {

namespace {

class BandsChecker : LayoutChecker {
 public:
  using LayoutChecker::LayoutChecker;

  std::string first_violation() {
    (void)(common({.blocks = true}) && first_entries(1) && every_band());
    return violation_;
  }

 private:
  bool every_band() {
    const Entries& child = first_child();
    const Entries& first = layout_.first_entry;
    for (std::size_t parent = 0; parent + 1 < child.size(); ++parent) {
      for (std::int32_t part = child[parent]; part < child[parent + 1]; ++part) {
        const std::size_t tile = side_by_side(store_.layout) ? parent : part;
        const std::int64_t local = side_by_side(store_.layout) ? part - child[parent] : 0;
        const std::int64_t step = std::int64_t{layout_.stride} * block_cells(store_);
        for (std::int64_t base = first[tile]; base < first[tile + 1]; base += step) {
          if (!one_block(part, base / block_cells(store_) + local, base, local)) return false;
        }
      }
    }
    const auto is_value = [](std::int32_t source) { return source >= 0; };
    const std::int64_t values = std::count_if(source_.begin(), source_.end(), is_value);
    return values == values_read_ || fail("threads read {} values of {}", values_read_, values);
  }

  /// The runs of a block of thread `local` are `stride` runs apart.
  bool one_block(std::int32_t part, std::int64_t block, std::int64_t base, std::int64_t local) {
    const Entries& first_row = store_.ints({Level::thread, Name::first_row});
    const std::int32_t width = block_width(store_), first_col = layout_.blocks->first_col[block];
    if (first_col < 0 || first_col > std::max(0, store_.cols() - width)) {
      return fail("first_col[{}] is {}: the block hangs over an edge", block, first_col);
    }
    const std::int32_t run = store_.layout_as<Bands>()->run;
    for (std::int32_t cell = 0; cell < block_cells(store_); ++cell) {
      const std::int64_t runs_before = std::int64_t{cell / run} * layout_.stride + local;
      const std::int64_t at = base + runs_before * run + cell % run;
      const std::int32_t row = first_row[part] + cell / width, col = first_col + cell % width;
      const bool is_there = row < first_row[part + 1];
      if (!is_there && layout_.value_source[at] >= 0) {
        return fail("value_source[{}] is {}, but its band has no row {}", at,
                    layout_.value_source[at], cell / width);
      }
      if (is_there && !one_cell(block, cell, row, col, at)) return false;
    }
    return true;
  }

  /// Where the row does not have the column, there is a word of bits that says so.
  bool one_cell(std::int64_t block, std::int32_t cell, std::int32_t row, std::int32_t col,
                std::int64_t at) {
    const std::int32_t source = layout_.value_source[at];
    values_read_ += source >= 0;
    bool has_column = false, has_value = false;
    for (std::int32_t nz = row_first_[row]; nz < row_first_[row + 1]; ++nz) {
      has_column = has_column || (source_[nz] >= 0 && col_[nz] == col);
      has_value = has_value || (source_[nz] == source && col_[nz] == col);
    }
    if (source >= 0 && !has_value) {
      return fail("value_source[{}] is {}, not at column {} of row {}", at, source, col, row);
    }
    const std::vector<std::uint32_t>& bits = layout_.blocks->bits;
    if (bits.empty() && !has_column) {
      return fail("block {} has no bits, but row {} has no column {}", block, row, col);
    }
    if (bits.empty() || (bits[block] >> cell & 1) == (source >= 0)) return true;
    return fail("bit {} of block {} is not what stands at column {} of row {}", cell, block, col,
                row);
  }

  std::int64_t values_read_ = 0;
};

}  // namespace

std::string Bands::violation(const Store& store, const Layout& layout) {
  return BandsChecker(store, layout).first_violation();
}

}  // namespace alphasparse
