#include "generator/layouts/layout_checker.h"

#include <algorithm>

#include "generator/layouts/layout_kind.h"

namespace alphasparse {

bool LayoutChecker::common(const Parts& parts) {
  return sizes(parts) && columns_in_range() && every_value_once();
}

bool LayoutChecker::sizes(const Parts& parts) {
  const std::int64_t stored = layout_kind(store_).reads(store_).stored;
  if (layout_.stored != stored) {
    return fail("stored is {}, stored_entries says {}", layout_.stored, stored);
  }
  if (layout_.column.size() != static_cast<std::size_t>(stored)) {
    return fail("column has {} entries, not {}", layout_.column.size(), stored);
  }
  if (layout_.value_source.size() != static_cast<std::size_t>(stored)) {
    return fail("value_source has {} entries, not {}", layout_.value_source.size(), stored);
  }
  if (layout_.bitmap.has_value() != parts.bitmap) {
    return fail("there are bitmap blocks or threads in places, the store says otherwise");
  }
  if (layout_.blocks.has_value() != parts.blocks) {
    return fail("there are dense blocks, or none, the store says otherwise");
  }
  if (layout_.in_order != parts.in_order) {
    return fail("in_order is {}, the store says otherwise", layout_.in_order);
  }
  return true;
}

bool LayoutChecker::columns_in_range() {
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

bool LayoutChecker::every_value_once() {
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

bool LayoutChecker::holds(std::int64_t position, std::int64_t nz) {
  if (layout_.value_source[position] != source_[nz]) {
    return fail("value_source[{}] is {}, not {}, of non-zero {}", position,
                layout_.value_source[position], source_[nz], nz);
  }
  if (layout_.column[position] == col_[nz]) return true;
  return fail("column[{}] is {}, not {}, of non-zero {}", position, layout_.column[position],
              col_[nz], nz);
}

bool LayoutChecker::first_entries(int run) {
  const bool in_tiles = side_by_side(store_.layout);
  const std::size_t count = in_tiles ? first_child().size() : threads_->parts + 1;
  if (!is_offsets("first_entry", layout_.first_entry, count, layout_.stored)) return false;
  const std::int32_t stride_least = in_tiles ? std::max(threads_->children_max, 1) * run : 1;
  if (layout_.stride < stride_least || (!in_tiles && layout_.stride != 1)) {
    return fail("stride is {}: threads of one parent would overlap", layout_.stride);
  }
  return true;
}

bool LayoutChecker::is_offsets(const char* name, const Entries& first, std::size_t count,
                               std::int64_t end) {
  if (first.size() != count) return fail("{} has {} entries, not {}", name, first.size(), count);
  if (first.front() != 0) return fail("{}[0] is {}, not 0", name, first.front());
  for (std::size_t i = 1; i < first.size(); ++i) {
    if (first[i] >= first[i - 1]) continue;
    return fail("{}[{}] is {}, less than the {} before it", name, i, first[i], first[i - 1]);
  }
  if (first.back() == end) return true;
  return fail("{}[{}] is {}, not {}, the end", name, first.size() - 1, first.back(), end);
}

bool LayoutChecker::is_pad(std::int64_t position, std::int64_t row, std::int32_t no_row_column) {
  const std::int32_t column = layout_.column[position];
  if (layout_.value_source[position] != -1) {
    return fail("value_source[{}] is {}, but a pad stands there", position,
                layout_.value_source[position]);
  }
  if (row < 0) {
    if (column == no_row_column) return true;
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

bool LayoutChecker::is_cleared_right(std::size_t parent, std::int64_t thread,
                                     bool adds_pads_alone) {
  const int gang = store_.gang();
  if (gang == 0) return true;
  const std::int64_t lane = static_cast<std::int64_t>(parent) * gang + thread;
  const auto word = static_cast<std::size_t>(lane / gang * words_of_lanes(gang) + lane % gang / 32);
  const bool is_cleared =
      word < layout_.empty_lanes.size() && (layout_.empty_lanes[word] >> lane % gang % 32 & 1) != 0;
  if (is_cleared == adds_pads_alone) return true;
  return fail("lane {} of gang {} {} entries, but its sum is {}cleared", lane % gang, lane / gang,
              adds_pads_alone ? "has no" : "has", is_cleared ? "" : "not ");
}

}  // namespace alphasparse
