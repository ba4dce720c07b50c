// mix_slices: the blocks and single entries of each row, and their places in the slices of warps.
#include <algorithm>

#include "base/ranges.h"
#include "generator/layouts/kinds/mix.h"

namespace alphasparse {

namespace {

/// Walks the rows of a store in blocks and single entries.
class RowWalk {
 public:
  explicit RowWalk(const Store& store)
      : first_(store.ints({Level::matrix, Name::row_first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        width_(mix_width(store)),
        least_(get_mix(store).find_least(store.cols())) {}

  /// Calls block(nz, end_nz) and single(nz) for the parts of a row, from left to right.
  template <class Block, class Single>
  void row(std::int64_t row, const Block& block, const Single& single) const {
    const std::int32_t end = first_[row + 1];
    for (std::int32_t nz = first_[row]; nz < end;) {
      std::int32_t last = nz + 1;
      while (last < end && col_[last] - col_[nz] < width_) ++last;
      if (last - nz < least_) {
        single(nz++);
        continue;
      }
      block(nz, last);
      nz = last;
    }
  }

 private:
  const std::vector<std::int32_t>&first_, &col_;
  const std::int32_t width_, least_;
};

}  // namespace

std::shared_ptr<const MixParts> mix_parts(const Store& store) {
  return store.fact_of_layout<MixParts>([&] {
    MixParts parts{std::vector<std::int32_t>(store.rows(), 0),
                   std::vector<std::int32_t>(store.rows(), 0)};
    const RowWalk walk(store);
    const auto count = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        walk.row(
            row, [&](std::int32_t, std::int32_t) { ++parts.blocks[row]; },
            [&](std::int32_t) { ++parts.singles[row]; });
      }
    };
    for_ranges(store.rows(), count, grain_size(store.rows(), store.nnz()));
    return parts;
  });
}

std::shared_ptr<const MixSlices> mix_slices(const Store& store) {
  return store.fact_of_layout<MixSlices>([&] {
    const auto parts = mix_parts(store);
    const auto& first_row = store.ints({Level::thread, Name::first_row});
    const std::int64_t lanes = count_lanes(store);
    MixSlices slices{tiles_of_parents(store, [](std::int32_t) { return 0; })};
    for (Tile& tile : slices.tiles) {
      std::int64_t blocks = 0, singles = 0;
      for (std::int32_t part = tile.first_part; part < tile.end_part; ++part) {
        blocks = std::max<std::int64_t>(blocks, parts->blocks[first_row[part]]);
        singles = std::max<std::int64_t>(singles, parts->singles[first_row[part]]);
      }
      tile.width = blocks * mix_width(store) + singles;
      slices.first_block.push_back(slices.first_block.back() + blocks * lanes);
      slices.first_single.push_back(slices.first_single.back() + singles * lanes);
    }
    return slices;
  });
}

namespace {

/// Puts the rows of warps into a layout that has arrays already, filled with pads.
class MixWriter {
 public:
  MixWriter(const Store& store, Layout& layout)
      : walk_(store),
        slices_(*mix_slices(store)),
        first_row_(store.ints({Level::thread, Name::first_row})),
        row_first_(store.ints({Level::matrix, Name::row_first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.sources()),
        width_(mix_width(store)),
        last_col_(std::max(0, store.cols() - width_)),
        layout_(layout) {
    DenseBlocks& blocks = layout.blocks.emplace();
    blocks.first_col.assign(slices_.first_block.back(), 0);
    blocks.bits.assign(slices_.first_block.back(), 0);
  }

  void write(std::size_t warp) {
    const Tile& tile = slices_.tiles[warp];
    for (std::int32_t part = tile.first_part; part < tile.end_part; ++part)
      write_row(warp, first_row_[part], part - tile.first_part);
  }

 private:
  void write_row(std::size_t warp, std::int32_t row, std::int32_t lane) {
    std::int64_t block = slices_.first_block[warp] + lane;
    std::int64_t single = slices_.first_single[warp] + lane;
    const std::int64_t before = slices_.first_single[warp];
    const std::int64_t end_block = slices_.first_block[warp + 1];
    std::int32_t first_col = 0;
    // Pads of a row repeat its last column, as far as it has any.
    const std::int32_t own =
        row_first_[row] < row_first_[row + 1] ? col_[row_first_[row + 1] - 1] : 0;
    const auto pad_block = [&] {
      std::fill_n(layout_.column.begin() + block * width_ + before, width_, own);
    };
    walk_.row(
        row,
        [&](std::int32_t nz, std::int32_t end_nz) {
          pad_block();
          first_col = std::min(col_[nz], last_col_);
          layout_.blocks->first_col[block] = first_col;
          for (; nz < end_nz; ++nz) {
            const std::int32_t cell = col_[nz] - first_col;
            put(block * width_ + before + cell, nz);
            layout_.blocks->bits[block] |= 1u << cell;
          }
          block += layout_.stride;
        },
        [&](std::int32_t nz) {
          put(end_block * width_ + single, nz);
          single += layout_.stride;
        });
    for (; block < end_block; block += layout_.stride) {
      pad_block();
      layout_.blocks->first_col[block] = first_col;
    }
    for (; single < slices_.first_single[warp + 1]; single += layout_.stride)
      layout_.column[end_block * width_ + single] = own;
  }

  void put(std::int64_t position, std::int32_t nz) {
    layout_.column[position] = col_[nz];
    layout_.value_source[position] = source_[nz];
  }

  const RowWalk walk_;
  const MixSlices& slices_;
  const std::vector<std::int32_t>&first_row_, &row_first_, &col_;
  const Sources source_;
  const std::int32_t width_, last_col_;
  Layout& layout_;
};

}  // namespace

void write_mix(const Store& store, Layout& layout) {
  CHECK(get_mix(store).transposed);
  const auto slices = mix_slices(store);
  const std::vector<std::int64_t> first = first_positions(store, slices->tiles);
  layout.stride = static_cast<std::int32_t>(count_lanes(store));
  MixWriter writer(store, layout);
  write_tiles(
      first, layout,
      [&](std::size_t i) { begin_threads(store, slices->tiles[i], first[i], layout); },
      [&](std::size_t i) { writer.write(i); });
  layout.empty_lanes = empty_lanes(store, slices->tiles);
}

}  // namespace alphasparse
