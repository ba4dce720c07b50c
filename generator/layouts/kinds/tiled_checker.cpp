// tiled_checker: the check of tiled layouts, thread by thread.
#include <algorithm>

#include "generator/layouts/layout_checker.h"

namespace alphasparse {

namespace {

/// The stored positions of one thread: runs that begin at first, first + step, ... below end.
struct ThreadPositions {
  std::int64_t first, end, step;
};

class TiledChecker : LayoutChecker {
 public:
  using LayoutChecker::LayoutChecker;

  std::string first_fault() {
    (void)(common({}) && first_entries(tiled_.neighbours()) && every_thread());
    return fault_;
  }

 private:
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
    if (tiled_.one_width() && !products(layout_.first_entry)) return false;
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
    if (tiled_.stops_alone()) {
      const Entries& first_nz = store_.ints({Level::thread, Name::first_nz});
      const std::int64_t own =
          side_by_side(store_.layout) ? first[parent] + lane * tiled_.neighbours() : first[unit];
      std::int64_t length = first_nz[unit + 1] - first_nz[unit];
      while (length % tiled_.multiple() != 0) ++length;
      return {own, own + layout_.stride * length / tiled_.neighbours(), layout_.stride};
    }
    if (!side_by_side(store_.layout)) {
      const bool full = threads_->cut == Cut::nnz;
      return {first[unit], full ? std::int64_t{first[unit]} + threads_->items : first[unit + 1], 1};
    }
    return {first[parent] + lane * tiled_.neighbours(), first[parent + 1], layout_.stride};
  }

  /// Its non-zeros in order, then pads of the row where it ends.
  bool thread(std::int32_t unit, const ThreadPositions& positions) {
    const Entries& first_nz = store_.ints({Level::thread, Name::first_nz});
    std::int64_t nz = first_nz[unit];
    const std::int64_t end_nz = first_nz[unit + 1];
    const std::int64_t pad_row = nz == end_nz ? -1 : row_of(unit, end_nz - 1);
    const std::int64_t last = positions.end - (tiled_.stops_alone() ? positions.step : 0);
    if (last > layout_.stored) return fail("thread {} reads beyond the last stored entry", unit);
    for (std::int64_t run = positions.first; run < positions.end; run += positions.step) {
      for (std::int64_t at = run; at < run + tiled_.neighbours(); ++at) {
        if (!(nz < end_nz ? holds(at, nz) : is_pad_of(at, pad_row))) return false;
        nz += nz < end_nz;
      }
    }
    return nz == end_nz || fail("thread {} does not reach its non-zero {}", unit, nz);
  }

  /// The row of a thread's last non-zero.
  std::int64_t row_of(std::int32_t unit, std::int64_t nz) const {
    std::int64_t row = store_.ints({Level::thread, Name::first_row})[unit];
    while (row_first_[row + 1] <= nz) ++row;
    return row;
  }

  /// Lanes that a tile of non-zeros has room for.
  std::int64_t lanes_of_tile(std::int64_t threads) const {
    const LevelFacts* tile = store_.level(threads_->parent);
    if (tile && tile->cut == Cut::nnz && store_.tiles_are_full()) {
      return tile->items / threads_->items;
    }
    return side_by_side(store_.layout) ? layout_.stride / tiled_.neighbours() : threads;
  }

  /// Cut by non-zeros, every lane has `items` entries, also those behind the last thread.
  bool full_tile(std::size_t parent, std::int32_t unit, std::int32_t end_unit) {
    if (threads_->cut != Cut::nnz || unit == end_unit) return true;
    const Entries& first = layout_.first_entry;
    const std::int32_t begin = side_by_side(store_.layout) ? first[parent] : first[unit];
    const std::int32_t end = side_by_side(store_.layout) ? first[parent + 1] : first[end_unit];
    const std::int64_t lanes = lanes_of_tile(end_unit - unit);
    if (end - begin != lanes * threads_->items) {
      return fail("{} {} has {} entries, not {} lanes of {}", level_name(threads_->parent), parent,
                  end - begin, lanes, threads_->items);
    }
    const std::int64_t row =
        row_of(end_unit - 1, store_.ints({Level::thread, Name::first_nz})[end_unit] - 1);
    const bool in_tile = side_by_side(store_.layout);
    const std::int64_t run = in_tile ? tiled_.neighbours() : threads_->items;
    for (std::int64_t lane = end_unit - unit; lane < lanes; ++lane) {
      for (std::int32_t item = 0; item < threads_->items; ++item) {
        const std::int64_t at = begin + lane * run + item / run * layout_.stride + item % run;
        if (!is_pad_of(at, row)) return false;
      }
    }
    return true;
  }

  /// Pads of an empty row: a gang clears the whole lane, others need a column that predicates.
  bool is_pad_of(std::int64_t position, std::int64_t row) {
    return is_pad(position, row, store_.gang() > 0 ? 0 : -1);
  }

  const Tiled& tiled_ = *store_.lies<Tiled>();
};

}  // namespace

std::string Tiled::fault(const Store& store, const Layout& layout) {
  return TiledChecker(store, layout).first_fault();
}

}  // namespace alphasparse
