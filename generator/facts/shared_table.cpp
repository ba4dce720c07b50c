#include "generator/facts/shared_table.h"

#include <algorithm>

namespace alphasparse {

namespace {

constexpr std::int32_t slots_least = 1024;  ///< a table of that size costs no resident block

/// First thread of each block, through the levels that lie between.
std::vector<std::int32_t> first_threads(const Store& store) {
  std::vector<std::int32_t> first = store.ints({Level::block, Name::first_child});
  for (const LevelFacts& level : store.levels()) {
    if (level.level <= Level::block || level.level == Level::thread) continue;
    const auto& child = store.ints({level.level, Name::first_child});
    for (std::int32_t& part : first) part = child[part];
  }
  return first;
}

std::vector<std::int32_t> threads_of_rows(const Store& store) {
  std::vector<std::int32_t> first(store.rows() + 1, 0);
  for (const std::int32_t row : store.ints({Level::thread, Name::first_row})) ++first[row + 1];
  for (std::int32_t row = 0; row < store.rows(); ++row) first[row + 1] += first[row];
  return first;
}

void set_rows(const Store& store, SharedTable& table) {
  const LevelFacts& blocks = *store.level(Level::block);
  const auto& first_row = store.ints({Level::block, Name::first_row});
  const auto& row_of = store.ints({Level::thread, Name::first_row});
  table.block_first_row.assign(first_row.begin(), first_row.begin() + blocks.parts);
  for (std::int64_t block = 0; block < blocks.parts; ++block) {
    table.block_end_row.push_back(blocks.tiling == Tiling::rows
                                      ? first_row[block + 1]
                                      : row_of[table.block_first_thread[block + 1] - 1] + 1);
  }
}

}  // namespace

SharedTable shared_table(const Store& store) {
  SharedTable table;
  table.block_first_thread = first_threads(store);
  table.row_first_thread = threads_of_rows(store);
  set_rows(store, table);
  const bool whole_rows = store.level(Level::block)->tiling == Tiling::rows;
  std::int32_t longest = 1;
  for (std::size_t block = 0; block < table.block_first_row.size(); ++block) {
    const std::int32_t sums = table.block_first_thread[block + 1] - table.block_first_thread[block];
    const bool one_row = table.block_end_row[block] - table.block_first_row[block] == 1;
    longest = std::max(longest, sums);
    if (!one_row || !whole_rows) table.slots = std::max(table.slots, sums);
  }
  table.has_longer_rows = longest > std::max(table.slots, slots_least);
  table.slots = table.has_longer_rows ? std::max(table.slots, slots_least) : longest;
  return table;
}

}  // namespace alphasparse
