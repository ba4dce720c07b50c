#include "generator/layouts/layout_contract.h"

#include <algorithm>

#include "generator/facts/checker.h"
#include "generator/layouts/bitmap.h"
#include "generator/layouts/dense_blocks.h"
#include "generator/layouts/positions.h"

namespace alphasparse {

namespace {

using Entries = std::vector<std::int32_t>;

/// The stored positions of one thread: runs that begin at first, first + step, ... below end.
struct ThreadPositions {
  std::int64_t first, end, step;
};

class LayoutChecker : Checker {
 public:
  LayoutChecker(const Store& store, const Layout& layout)
      : store_(store),
        layout_(layout),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.ints({Level::matrix, Name::value_source})),
        row_first_(store.ints({Level::matrix, Name::row_first_nz})) {
    threads_ = store.level(Level::thread);
    placed_ = threads_ &&
              (threads_->cut == Cut::nnz || store.padded || store.interleaved || store.by_band);
  }

  std::string first_fault() {
    (void)(sizes() && columns_in_range() && every_value_once() &&
           (layout_.bitmap     ? every_bit()
            : layout_.blocks   ? first_entries() && every_band()
            : !placed_         ? nothing_moved()
            : store_.ragged    ? diagonals_meet() && every_ragged_tile()
            : store_.diagonals ? first_entries() && every_diagonal()
                               : first_entries() && every_thread()));
    return fault_;
  }

 private:
  bool sizes() {
    const std::int64_t stored = stored_entries(store_);
    if (layout_.stored != stored) {
      return fail("stored is {}, stored_entries says {}", layout_.stored, stored);
    }
    if (layout_.column.size() != static_cast<std::size_t>(stored)) {
      return fail("column has {} entries, not {}", layout_.column.size(), stored);
    }
    if (layout_.value_source.size() != static_cast<std::size_t>(stored)) {
      return fail("value_source has {} entries, not {}", layout_.value_source.size(), stored);
    }
    const bool packed = store_.bitmap_cols > 0;
    if (layout_.bitmap.has_value() != packed || (packed && placed_)) {
      return fail("there are bitmap blocks or threads in places, the store says otherwise");
    }
    if (layout_.blocks.has_value() != store_.by_band) {
      return fail("there are dense blocks, or none, the store says otherwise");
    }
    if (layout_.in_order == (placed_ || packed)) {
      return fail("in_order is {}, the store says otherwise", layout_.in_order);
    }
    return true;
  }

  bool columns_in_range() {
    const std::int32_t least = layout_.predicated ? -1 : 0;
    bool any_negative = false;
    for (std::size_t position = 0; position < layout_.column.size(); ++position) {
      const std::int32_t column = layout_.column[position];
      any_negative = any_negative || column < 0;
      if (column >= least && column < store_.cols()) continue;
      return fail("column[{}] is {}, not in [{}, {})", position, column, least, store_.cols());
    }
    if (any_negative == layout_.predicated) return true;
    return fail("the product is predicated, but no column is -1");
  }

  bool every_value_once() {
    // The values of the store: a branch has some of the canonical ones.
    std::int64_t end = store_.nnz();
    for (const std::int32_t value : source_) end = std::max(end, std::int64_t{value} + 1);
    std::vector<bool> seen(end, true);
    for (const std::int32_t value : source_) {
      if (value >= 0) seen[value] = false;
    }
    for (std::size_t position = 0; position < layout_.value_source.size(); ++position) {
      const std::int32_t value = layout_.value_source[position];
      if (value < -1 || value >= end) {
        return fail("value_source[{}] is {}, not in [-1, {})", position, value, end);
      }
      if (value < 0) continue;
      if (seen[value]) return fail("value_source[{}] is {}, stored before", position, value);
      seen[value] = true;
    }
    const auto lost = std::find(seen.begin(), seen.end(), false);
    if (lost == seen.end()) return true;
    return fail("value {} is not stored", lost - seen.begin());
  }

  // ---- bitmap blocks

  /// The bits of a row, block by block, are its non-zeros in order.
  bool every_bit() {
    const Bitmap& bitmap = *layout_.bitmap;
    const auto blocks = static_cast<std::int64_t>(bitmap.first_col.size());
    const std::int64_t bands = (store_.rows() + bitmap_rows - 1) / bitmap_rows;
    const int words = bitmap_words(store_.bitmap_cols);
    if (!is_offsets("band_first", bitmap.band_first, bands + 1, blocks)) return false;
    if (bitmap.bits.size() != static_cast<std::size_t>(blocks * words) ||
        bitmap.first_entry.size() != bitmap.bits.size()) {
      return fail("{} blocks have {} words of bits and {} first entries", blocks,
                  bitmap.bits.size(), bitmap.first_entry.size());
    }
    for (std::int32_t row = 0; row < store_.rows(); ++row) {
      std::int32_t nz = row_first_[row];
      for (std::int32_t block = bitmap.band_first[row / bitmap_rows];
           block < bitmap.band_first[row / bitmap_rows + 1]; ++block) {
        if (!bits_of_row(block, row, nz)) return false;
      }
      if (nz != row_first_[row + 1]) return fail("row {} has no bit for its non-zero {}", row, nz);
    }
    return true;
  }

  bool bits_of_row(std::int32_t block, std::int32_t row, std::int32_t& nz) {
    const Bitmap& bitmap = *layout_.bitmap;
    const int cols = store_.bitmap_cols, first_bit = row % bitmap_rows * cols;
    const std::size_t word = static_cast<std::size_t>(block) * bitmap_words(cols) + first_bit / 32;
    std::int64_t position = bitmap.first_entry[word];
    for (int bit = 0; bit < first_bit % 32 + cols; ++bit) {
      if ((bitmap.bits[word] >> bit & 1) == 0) continue;
      if (bit >= first_bit % 32) {
        const std::int32_t column = bitmap.first_col[block] + bit - first_bit % 32;
        if (nz == row_first_[row + 1] || column != col_[nz]) {
          return fail("block {} has a bit for column {} of row {}", block, column, row);
        }
        if (position >= layout_.stored || !holds(position, nz++)) return false;
      }
      ++position;
    }
    return true;
  }

  bool nothing_moved() {
    for (std::int64_t nz = 0; nz < store_.nnz(); ++nz) {
      if (!holds(nz, nz)) return false;
    }
    return true;
  }

  bool holds(std::int64_t position, std::int64_t nz) {
    if (layout_.value_source[position] != source_[nz]) {
      return fail("value_source[{}] is {}, not {}, of non-zero {}", position,
                  layout_.value_source[position], source_[nz], nz);
    }
    if (layout_.column[position] == col_[nz]) return true;
    return fail("column[{}] is {}, not {}, of non-zero {}", position, layout_.column[position],
                col_[nz], nz);
  }

  // ---- placed threads

  bool first_entries() {
    const std::size_t count = store_.interleaved ? first_child().size() : threads_->units + 1;
    if (!is_offsets("first_entry", layout_.first_entry, count, layout_.stored)) return false;
    const std::int32_t stride_least =
        store_.interleaved ? std::max(threads_->children_max, 1) * store_.run : 1;
    if (layout_.stride < stride_least || (!store_.interleaved && layout_.stride != 1)) {
      return fail("stride is {}: threads of one parent would overlap", layout_.stride);
    }
    return true;
  }

  bool is_offsets(const char* name, const Entries& first, std::size_t count, std::int64_t end) {
    if (first.size() != count) return fail("{} has {} entries, not {}", name, first.size(), count);
    if (first.front() != 0) return fail("{}[0] is {}, not 0", name, first.front());
    for (std::size_t i = 1; i < first.size(); ++i) {
      if (first[i] >= first[i - 1]) continue;
      return fail("{}[{}] is {}, less than the {} before it", name, i, first[i], first[i - 1]);
    }
    if (first.back() == end) return true;
    return fail("{}[{}] is {}, not {}, the end", name, first.size() - 1, first.back(), end);
  }

  const Entries& first_child() const { return store_.ints({threads_->parent, Name::first_child}); }

  /// Where all tiles are of one width, offsets are products.
  bool products(const Entries& first) {
    for (std::size_t i = 1; i < first.size(); ++i) {
      if (first[i] == static_cast<std::int64_t>(i) * first[1]) continue;
      return fail("first_entry[{}] is {}, no multiple of {}: tiles differ in width", i, first[i],
                  first[1]);
    }
    return true;
  }

  bool every_thread() {
    const Entries& child = first_child();
    if (store_.one_width && !products(layout_.first_entry)) return false;
    for (std::size_t parent = 0; parent + 1 < child.size(); ++parent) {
      if (!full_tile(parent, child[parent], child[parent + 1])) return false;
      for (std::int32_t unit = child[parent]; unit < child[parent + 1]; ++unit) {
        const ThreadPositions of_unit = positions(parent, unit, unit - child[parent]);
        if (!thread(unit, of_unit)) return false;
        const Entries& first_nz = store_.ints({Level::thread, Name::first_nz});
        const bool is_empty = first_nz[unit] == first_nz[unit + 1];
        if (!is_cleared_right(parent, unit - child[parent],
                              is_empty && of_unit.first < of_unit.end)) {
          return false;
        }
      }
    }
    return true;
  }

  ThreadPositions positions(std::size_t parent, std::int32_t unit, std::int64_t lane) const {
    const Entries& first = layout_.first_entry;
    if (store_.own_length) {
      const Entries& first_nz = store_.ints({Level::thread, Name::first_nz});
      const std::int64_t own = store_.interleaved ? first[parent] + lane * store_.run : first[unit];
      std::int64_t length = first_nz[unit + 1] - first_nz[unit];
      while (length % store_.multiple != 0) ++length;
      return {own, own + layout_.stride * length / store_.run, layout_.stride};
    }
    if (!store_.interleaved) {
      const bool full = threads_->cut == Cut::nnz;
      return {first[unit], full ? std::int64_t{first[unit]} + threads_->items : first[unit + 1], 1};
    }
    return {first[parent] + lane * store_.run, first[parent + 1], layout_.stride};
  }

  /// A lane of a gang that adds pads alone is cleared, and no other one.
  bool is_cleared_right(std::size_t parent, std::int64_t thread, bool adds_pads_alone) {
    const int gang = store_.gang();
    if (gang == 0) return true;
    const std::int64_t lane = static_cast<std::int64_t>(parent) * gang + thread;
    const auto word =
        static_cast<std::size_t>(lane / gang * words_of_lanes(gang) + lane % gang / 32);
    const bool is_cleared = word < layout_.empty_lanes.size() &&
                            (layout_.empty_lanes[word] >> lane % gang % 32 & 1) != 0;
    if (is_cleared == adds_pads_alone) return true;
    return fail("lane {} of gang {} {} entries, but its sum is {}cleared", lane % gang, lane / gang,
                adds_pads_alone ? "has no" : "has", is_cleared ? "" : "not ");
  }

  /// Its non-zeros in order, then pads of the row where it ends.
  bool thread(std::int32_t unit, const ThreadPositions& positions) {
    const Entries& first_nz = store_.ints({Level::thread, Name::first_nz});
    std::int64_t nz = first_nz[unit];
    const std::int64_t end_nz = first_nz[unit + 1];
    const std::int64_t pad_row = nz == end_nz ? -1 : row_of(unit, end_nz - 1);
    const std::int64_t last = positions.end - (store_.own_length ? positions.step : 0);
    if (last > layout_.stored) return fail("thread {} reads beyond the last stored entry", unit);
    for (std::int64_t run = positions.first; run < positions.end; run += positions.step) {
      for (std::int64_t at = run; at < run + store_.run; ++at) {
        if (!(nz < end_nz ? holds(at, nz) : is_pad(at, pad_row))) return false;
        nz += nz < end_nz;
      }
    }
    return nz == end_nz || fail("thread {} does not reach its non-zero {}", unit, nz);
  }

  // ---- bands of dense blocks

  bool every_band() {
    const Entries& child = first_child();
    const Entries& first = layout_.first_entry;
    for (std::size_t parent = 0; parent + 1 < child.size(); ++parent) {
      for (std::int32_t unit = child[parent]; unit < child[parent + 1]; ++unit) {
        const std::size_t tile = store_.interleaved ? parent : unit;
        const std::int64_t local = store_.interleaved ? unit - child[parent] : 0;
        const std::int64_t step = std::int64_t{layout_.stride} * block_places(store_);
        for (std::int64_t base = first[tile]; base < first[tile + 1]; base += step) {
          if (!one_block(unit, base / block_places(store_) + local, base + local)) return false;
        }
      }
    }
    const auto is_value = [](std::int32_t source) { return source >= 0; };
    const std::int64_t values = std::count_if(source_.begin(), source_.end(), is_value);
    return values == values_read_ || fail("threads read {} values of {}", values_read_, values);
  }

  /// The places of a block are at stored positions at, at + stride, ...
  bool one_block(std::int32_t unit, std::int64_t block, std::int64_t at) {
    const Entries& first_row = store_.ints({Level::thread, Name::first_row});
    const std::int32_t width = block_width(store_), first_col = layout_.blocks->first_col[block];
    if (first_col < 0 || first_col > std::max(0, store_.cols() - width)) {
      return fail("first_col[{}] is {}: the block hangs over an edge", block, first_col);
    }
    for (std::int32_t place = 0; place < block_places(store_); ++place, at += layout_.stride) {
      const std::int32_t row = first_row[unit] + place / width, col = first_col + place % width;
      const bool is_there = row < first_row[unit + 1];
      if (!is_there && layout_.value_source[at] >= 0) {
        return fail("value_source[{}] is {}, but its band has no row {}", at,
                    layout_.value_source[at], place / width);
      }
      if (is_there && !one_place(block, place, row, col, at)) return false;
    }
    return true;
  }

  /// Where the row does not have the column, there is a word of bits that says so.
  bool one_place(std::int64_t block, std::int32_t place, std::int32_t row, std::int32_t col,
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
    if (bits.empty() || (bits[block] >> place & 1) == (source >= 0)) return true;
    return fail("bit {} of block {} is not what stands at column {} of row {}", place, block, col,
                row);
  }

  // ---- ragged tiles

  bool diagonals_meet() {
    const auto diagonals = static_cast<std::int64_t>(layout_.first_entry.size()) - 1;
    return is_offsets("first_diagonal", layout_.first_diagonal, first_child().size(), diagonals) &&
           is_offsets("first_entry", layout_.first_entry, diagonals + 1, layout_.stored);
  }

  /// Position `lane` of each diagonal of its parent that is long enough is the thread's next one.
  bool every_ragged_tile() {
    const Entries& child = first_child();
    const Entries& first_nz = store_.ints({Level::thread, Name::first_nz});
    for (std::size_t parent = 0; parent + 1 < child.size(); ++parent) {
      for (std::int32_t unit = child[parent]; unit < child[parent + 1]; ++unit) {
        std::int64_t nz = first_nz[unit];
        for (std::int32_t diagonal = layout_.first_diagonal[parent];
             diagonal < layout_.first_diagonal[parent + 1]; ++diagonal) {
          const std::int64_t at =
              std::int64_t{layout_.first_entry[diagonal]} + unit - child[parent];
          if (at >= layout_.first_entry[diagonal + 1]) break;
          if (nz == first_nz[unit + 1]) return fail("thread {} reads another's entries", unit);
          if (!holds(at, nz++)) return false;
        }
        if (nz != first_nz[unit + 1]) {
          return fail("thread {} does not reach its non-zero {}", unit, nz);
        }
      }
    }
    return true;
  }

  // ---- diagonals of warps

  /// Lane l has at each diagonal its entry of column first + l, or none; by ascending columns.
  bool every_diagonal() {
    const Entries &child = first_child(), &column = layout_.diagonal_column;
    const Entries& first_nz = store_.ints({Level::thread, Name::first_nz});
    if (static_cast<std::int64_t>(column.size()) * layout_.stride != layout_.stored) {
      return fail("{} diagonals of {} lanes have {} positions", column.size(), layout_.stride,
                  layout_.stored);
    }
    for (std::size_t parent = 0; parent + 1 < child.size(); ++parent) {
      for (std::int32_t lane = 0; lane < layout_.stride; ++lane) {
        const std::int32_t unit = child[parent] + lane;
        const bool is_there = unit < child[parent + 1];
        std::int32_t nz = is_there ? first_nz[unit] : 0;
        const std::int32_t end_nz = is_there ? first_nz[unit + 1] : 0;
        for (std::int64_t at = layout_.first_entry[parent] + lane;
             at < layout_.first_entry[parent + 1]; at += layout_.stride) {
          const bool has = nz < end_nz && col_[nz] == column[at / layout_.stride] + lane;
          if (!(has ? holds(at, nz++) : is_pad(at, -1))) return false;
        }
        if (nz != end_nz) return fail("thread {} does not reach its non-zero {}", unit, nz);
      }
    }
    return true;
  }

  /// The row of a thread's last non-zero.
  std::int64_t row_of(std::int32_t unit, std::int64_t nz) const {
    std::int64_t row = store_.ints({Level::thread, Name::first_row})[unit];
    while (row_first_[row + 1] <= nz) ++row;
    return row;
  }

  bool is_pad(std::int64_t position, std::int64_t row) {
    const std::int32_t column = layout_.column[position];
    if (layout_.value_source[position] != -1) {
      return fail("value_source[{}] is {}, but a pad stands there", position,
                  layout_.value_source[position]);
    }
    if (row < 0) {
      const bool is_cleared = store_.gang() > 0 && !store_.diagonals;  // with its whole lane
      if (column == (is_cleared ? 0 : -1)) return true;
      return fail("column[{}] is {}, but the pad's row is empty", position, column);
    }
    const auto begin = col_.begin() + row_first_[row], end = col_.begin() + row_first_[row + 1];
    if (column == known_column_ && row == known_row_) return true;
    if (std::find(begin, end, column) == end) {
      return fail("column[{}] is {}, which the pad's row {} does not have", position, column, row);
    }
    known_column_ = column;
    known_row_ = row;
    return true;
  }

  /// Lanes that a tile of non-zeros has room for.
  std::int64_t lanes_of_tile(std::int64_t threads) const {
    const LevelFacts* tile = store_.level(threads_->parent);
    if (tile && tile->cut == Cut::nnz && store_.tiles_are_full()) {
      return tile->items / threads_->items;
    }
    return store_.interleaved ? layout_.stride : threads;
  }

  /// Cut by non-zeros, every lane has `items` entries, also those behind the last thread.
  bool full_tile(std::size_t parent, std::int32_t unit, std::int32_t end_unit) {
    if (threads_->cut != Cut::nnz || unit == end_unit) return true;
    const Entries& first = layout_.first_entry;
    const std::int32_t begin = store_.interleaved ? first[parent] : first[unit];
    const std::int32_t end = store_.interleaved ? first[parent + 1] : first[end_unit];
    const std::int64_t lanes = lanes_of_tile(end_unit - unit);
    if (end - begin != lanes * threads_->items) {
      return fail("{} {} has {} entries, not {} lanes of {}", level_name(threads_->parent), parent,
                  end - begin, lanes, threads_->items);
    }
    const std::int64_t row =
        row_of(end_unit - 1, store_.ints({Level::thread, Name::first_nz})[end_unit] - 1);
    const std::int64_t lane_step = store_.interleaved ? 1 : threads_->items;
    for (std::int64_t lane = end_unit - unit; lane < lanes; ++lane) {
      std::int64_t at = begin + lane * lane_step;
      for (std::int32_t item = 0; item < threads_->items; ++item, at += layout_.stride) {
        if (!is_pad(at, row)) return false;
      }
    }
    return true;
  }

  const Store& store_;
  const Layout& layout_;
  const Entries& col_;
  const Entries& source_;
  const Entries& row_first_;
  const LevelFacts* threads_ = nullptr;
  bool placed_ = false;
  std::int64_t values_read_ = 0;    ///< of dense blocks
  std::int32_t known_column_ = -1;  ///< the pad that was proved last: most stand in runs
  std::int64_t known_row_ = -1;
};

}  // namespace

std::string check_layout(const Store& store, const Layout& layout) {
  return LayoutChecker(store, layout).first_fault();
}

}  // namespace alphasparse
