// path_bindings: the coordinates of a merge path as a kernel reads them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generator/body/passes.h"

namespace alphasparse {

namespace {

/// Coordinates of every thread of every tile; those without items stand at the end. The end of the
/// last row is left out: that row leaves as the last one of its tile, like any other.
std::vector<std::int32_t> coordinates(const Composition& c, Name name, std::int32_t last) {
  const LevelFacts& threads = c.thread_level();
  std::vector<std::int32_t> entries = c.store.ints({Level::thread, name});
  if (c.plan.tile_level != Level::thread) {
    const LevelFacts& tiles = *c.store.level(c.plan.tile_level);
    entries.resize(tiles.parts * (tiles.part_size / threads.part_size) + 1, last);
  }
  for (std::int32_t& entry : entries) entry = std::min(entry, last);
  return entries;
}

/// Whether a block's products and the ends of its rows fit into shared memory; notes them there.
bool has_room_for_path(Composition& c) {
  if (!c.writer.simt || c.plan.tile_level != Level::block || c.store.launch.fused) return false;
  Body staged = c.body;
  staged.product_values = staged.row_ends = c.store.level(Level::block)->part_size;
  staged.table_values = c.threads() / 32;  // and flags, which the tile's reduction will ask for
  staged.has_flags = true;
  if (staged.shared_bytes(c.format.operands(), c.threads()) > shared_bytes_max) return false;
  c.body.product_values = staged.product_values;
  c.body.row_ends = staged.row_ends;
  return true;
}

/// Threads walk far apart from each other, one dependent load after the other. So a block's
/// products and the ends of its rows come into shared memory first, neighbours side by side.
/// The names replace those of `path`, which is read ahead of the barrier.
PathNames stage_path(Composition& c, const PathNames& path) {
  c.body.in_flight = {loads_with_registers, true};
  Slot& slot = c.slot_of_tile();
  const auto before = [&](const char* array, const Code& block) {
    return c.format.read(array, code("{} * {}", block, c.threads()));
  };
  slot.bind("const int", "open_row", path.row);
  slot.bind("const int", "end_row", path.end);
  slot.bind("const int", "first_nz", before("thread_first_nz", "$block"));
  slot.bindings.push_back(call(
      code("{}<{}, {}>($products, $first_nz, {}, $term, $row_ends, $first_row, {}, $row_end)",
           c.use("stage_path"), c.threads(), c.thread_level().part_size,
           before("thread_first_nz", "($block + 1)"), before("thread_first_row", "($block + 1)"))));
  slot.bind("const auto", "product", c.functor("entry", "$products[$entry - $first_nz]"));
  slot.bind("const auto", "staged_end", c.functor("row", "$row_ends[$row - $first_row]"));
  return {"$open_row", "$end_row", "$product", "$staged_end"};
}

}  // namespace

PathNames bind_path(Composition& c) {
  const Code tile = Code::named(level_name(c.plan.tile_level));
  const std::int32_t last_row = c.store.rows() - 1;
  const auto nnz = static_cast<std::int32_t>(c.store.nnz());
  c.format.add("thread_first_nz", coordinates(c, Name::first_nz, nnz),
               "non-zeros before each thread's piece of the merge path");
  c.format.add("thread_first_row", coordinates(c, Name::first_row, last_row),
               "row that is open where it begins");
  c.format.add("row_first_nz", c.store.ints({Level::matrix, Name::row_first_nz}),
               "first non-zero of each row");
  Slot& base = c.slot_of_tile();
  Code first_row = c.format.read("thread_first_row", "$thread");
  if (c.plan.tile_level != Level::thread) {
    const LevelFacts& tiles = *c.store.level(c.plan.tile_level);
    first_row = c.format.read("thread_first_row",
                              code("{} * {}", tile, tiles.part_size / c.thread_level().part_size));
  }
  base.bind("const int", "first_row", first_row);
  base.bind("const auto", "row_end", c.functor("row", c.format.read("row_first_nz", "$row + 1")));
  base.bind("const auto", "row_of", c.functor("row", c.origin("$row")));
  c.bind_ports(base);
  const PathNames path = {c.format.read("thread_first_row", "$thread"),
                          c.format.read("thread_first_row", "$thread + 1")};
  return has_room_for_path(c) ? stage_path(c, path) : path;
}

}  // namespace alphasparse
