// path_lets: the coordinates of a merge path as a kernel reads them.
#include <fmt/format.h>

#include <algorithm>

#include "generator/composition.h"

namespace alphasparse {

namespace {

/// Coordinates of every thread of every tile; those without items stand at the end. The end of the
/// last row is left out: that row leaves as the last one of its tile, like any other.
std::vector<std::int32_t> coordinates(const Composition& c, Name name, std::int32_t last) {
  const LevelFacts& threads = c.thread_level();
  std::vector<std::int32_t> entries = c.store.ints({Level::thread, name});
  if (c.plan.tile_level != Level::thread) {
    const LevelFacts& tiles = *c.store.level(c.plan.tile_level);
    entries.resize(tiles.units * (tiles.items / threads.items) + 1, last);
  }
  for (std::int32_t& entry : entries) entry = std::min(entry, last);
  return entries;
}

}  // namespace

PathNames let_path(Composition& c) {
  const std::string tile = level_name(c.plan.tile_level);
  const std::int32_t last_row = c.store.rows() - 1;
  const auto nnz = static_cast<std::int32_t>(c.store.nnz());
  c.format.add("thread_first_nz", coordinates(c, Name::first_nz, nnz),
               {"non-zeros before each thread's piece of the merge path", 0, nnz, true});
  c.format.add("thread_first_row", coordinates(c, Name::first_row, last_row),
               {"row that is open where it begins", 0, last_row, true});
  c.format.add("row_first_nz", c.store.ints({Level::matrix, Name::row_first_nz}),
               {"first non-zero of each row", 0, nnz, true});
  Slot& base = c.slot_of_tile();
  std::string first_row = c.format.read("thread_first_row", "thread");
  if (c.plan.tile_level != Level::thread) {
    const LevelFacts& tiles = *c.store.level(c.plan.tile_level);
    first_row = c.format.read("thread_first_row",
                              fmt::format("{} * {}", tile, tiles.items / c.thread_level().items));
  }
  if (c.plan.carries) base.let("const int first_row", first_row);
  base.let("const auto row_end", c.functor("row", c.format.read("row_first_nz", "row + 1")));
  base.let("const auto row_of", c.functor("row", c.origin("row")));
  c.let_ports(base);
  return {c.format.read("thread_first_row", "thread"),
          c.format.read("thread_first_row", "thread + 1")};
}

}  // namespace alphasparse
