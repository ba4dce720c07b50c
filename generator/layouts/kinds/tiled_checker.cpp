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

  std::string first_violation() {
    (void)(common({}) && first_entries(tiled_.neighbours()) && every_thread());
    return violation_;
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
      for (std::int32_t part = child[parent]; part < child[parent + 1]; ++part) {
        const ThreadPositions of_part = positions(parent, part, part - child[parent]);
        if (!thread(part, of_part)) return false;
        const Entries& first_nz = store_.ints({Level::thread, Name::first_nz});
        const bool is_empty = first_nz[part] == first_nz[part + 1];
        if (!is_cleared_right(parent, part - child[parent],
                              is_empty && of_part.first < of_part.end)) {
          return false;
        }
      }
    }
    return true;
  }

  ThreadPositions positions(std::size_t parent, std::int32_t part, std::int64_t lane) const {
    const Entries& first = layout_.first_entry;
    if (tiled_.stops_alone()) {
      const Entries& first_nz = store_.ints({Level::thread, Name::first_nz});
      const std::int64_t own =
          side_by_side(store_.layout) ? first[parent] + lane * tiled_.neighbours() : first[part];
      std::int64_t length = first_nz[part + 1] - first_nz[part];
      while (length % tiled_.multiple() != 0) ++length;
      return {own, own + layout_.stride * length / tiled_.neighbours(), layout_.stride};
    }
    if (!side_by_side(store_.layout)) {
      const bool full = threads_->tiling == Tiling::nnz;
      return {first[part], full ? std::int64_t{first[part]} + threads_->part_size : first[part + 1],
              1};
    }
    return {first[parent] + lane * tiled_.neighbours(), first[parent + 1], layout_.stride};
  }

  /// Its non-zeros in order, then pads of the row where it ends.
  bool thread(std::int32_t part, const ThreadPositions& positions) {
    const Entries& first_nz = store_.ints({Level::thread, Name::first_nz});
    std::int64_t nz = first_nz[part];
    const std::int64_t end_nz = first_nz[part + 1];
    const std::int64_t pad_row = nz == end_nz ? -1 : row_of(part, end_nz - 1);
    const std::int64_t last = positions.end - (tiled_.stops_alone() ? positions.step : 0);
    if (last > layout_.stored) return fail("thread {} reads beyond the last stored entry", part);
    for (std::int64_t run = positions.first; run < positions.end; run += positions.step) {
      for (std::int64_t at = run; at < run + tiled_.neighbours(); ++at) {
        if (!(nz < end_nz ? holds(at, nz) : is_pad_of(at, pad_row))) return false;
        nz += nz < end_nz;
      }
    }
    return nz == end_nz || fail("thread {} does not reach its non-zero {}", part, nz);
  }

  /// The row of a thread's last non-zero.
  std::int64_t row_of(std::int32_t part, std::int64_t nz) const {
    std::int64_t row = store_.ints({Level::thread, Name::first_row})[part];
    while (row_first_[row + 1] <= nz) ++row;
    return row;
  }

  /// Lanes that a tile of non-zeros has room for.
  std::int64_t lanes_of_tile(std::int64_t threads) const {
    const LevelFacts* tile = store_.level(threads_->parent);
    if (tile && tile->tiling == Tiling::nnz && store_.tiles_are_full()) {
      return tile->part_size / threads_->part_size;
    }
    return side_by_side(store_.layout) ? layout_.stride / tiled_.neighbours() : threads;
  }

  /// Cut by non-zeros, every lane has `items` entries, also those behind the last thread.
  bool full_tile(std::size_t parent, std::int32_t part, std::int32_t end_part) {
    if (threads_->tiling != Tiling::nnz || part == end_part) return true;
    const Entries& first = layout_.first_entry;
    const std::int32_t begin = side_by_side(store_.layout) ? first[parent] : first[part];
    const std::int32_t end = side_by_side(store_.layout) ? first[parent + 1] : first[end_part];
    const std::int64_t lanes = lanes_of_tile(end_part - part);
    if (end - begin != lanes * threads_->part_size) {
      return fail("{} {} has {} entries, not {} lanes of {}", level_name(threads_->parent), parent,
                  end - begin, lanes, threads_->part_size);
    }
    const std::int64_t row =
        row_of(end_part - 1, store_.ints({Level::thread, Name::first_nz})[end_part] - 1);
    const bool in_tile = side_by_side(store_.layout);
    const std::int64_t run = in_tile ? tiled_.neighbours() : threads_->part_size;
    for (std::int64_t lane = end_part - part; lane < lanes; ++lane) {
      for (std::int32_t local = 0; local < threads_->part_size; ++local) {
        const std::int64_t at = begin + lane * run + local / run * layout_.stride + local % run;
        if (!is_pad_of(at, row)) return false;
      }
    }
    return true;
  }

  /// Pads of an empty row: a gang clears the whole lane, others need a column that predicates.
  bool is_pad_of(std::int64_t position, std::int64_t row) {
    return is_pad(position, row, store_.gang() > 0 ? 0 : -1);
  }

  const Tiled& tiled_ = *store_.layout_as<Tiled>();
};

}  // namespace

std::string Tiled::violation(const Store& store, const Layout& layout) {
  return TiledChecker(store, layout).first_violation();
}

}  // namespace alphasparse
