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
    entries.resize(tiles.units * (tiles.items / threads.items) + 1, last);
  }
  for (std::int32_t& entry : entries) entry = std::min(entry, last);
  return entries;
}

/// Threads walk far apart from each other, so a block's products come first, neighbours side by
/// side, where shared memory holds them. Returns the functor that finds them.
Code stage_products(Composition& c) {
  if (!c.writer.simt || c.plan.tile_level != Level::block || c.store.launch.fused) return "$term";
  const int items = c.thread_level().items;
  Body staged = c.body;
  staged.product_values = c.store.level(Level::block)->items;
  staged.table_values = c.threads() / 32;  // and flags, which the tile's reduction will ask for
  staged.has_flags = true;
  if (staged.shared_bytes(c.format.dtype(), c.threads()) > shared_bytes_max) return "$term";
  c.body.product_values = staged.product_values;
  c.body.in_flight = {loads_with_registers, true};
  Slot& slot = c.slot_of_tile();
  const Expression begin = constant(c.threads()) * the_index();
  c.format.require({"products of a block",
                    entry_of("thread_first_nz", begin + constant(c.threads())) -
                        entry_of("thread_first_nz", begin),
                    c.store.level(Level::block)->units, 0, staged.product_values});
  const auto nz_before = [&](const Code& block) {
    return c.format.read("thread_first_nz", code("{} * {}", block, c.threads()));
  };
  slot.bind("const int", "first_nz", nz_before("$block"));
  slot.bindings.push_back(
      call(code("{}<{}, {}>($products, $first_nz, {}, $term)", c.use("stage_products"), c.threads(),
                items, nz_before("($block + 1)"))));
  slot.bind("const auto", "product", c.functor("entry", "$products[$entry - $first_nz]"));
  return "$product";
}

}  // namespace

PathNames bind_path(Composition& c) {
  const Code tile = Code::named(level_name(c.plan.tile_level));
  const std::int32_t last_row = c.store.rows() - 1;
  const auto nnz = static_cast<std::int32_t>(c.store.nnz());
  std::vector<std::int32_t> first_nz = coordinates(c, Name::first_nz, nnz);
  const auto count = static_cast<std::int64_t>(first_nz.size());
  c.format.add("thread_first_nz", std::move(first_nz),
               {"non-zeros before each thread's piece of the merge path", 0, nnz, true});
  c.format.add("thread_first_row", coordinates(c, Name::first_row, last_row),
               {"row that is open where it begins", 0, last_row, true});
  c.format.add("row_first_nz", c.store.ints({Level::matrix, Name::row_first_nz}),
               {"first non-zero of each row", 0, nnz, true});
  const Expression open_row = entry_of("thread_first_row", the_index());
  c.format.require({"non-zeros of a thread's open row",
                    entry_of("thread_first_nz", the_index()) - entry_of("row_first_nz", open_row),
                    count, 0, nnz});
  Slot& base = c.slot_of_tile();
  Code first_row = c.format.read("thread_first_row", "$thread");
  if (c.plan.tile_level != Level::thread) {
    const LevelFacts& tiles = *c.store.level(c.plan.tile_level);
    first_row = c.format.read("thread_first_row",
                              code("{} * {}", tile, tiles.items / c.thread_level().items));
  }
  if (c.plan.carries) base.bind("const int", "first_row", first_row);
  base.bind("const auto", "row_end", c.functor("row", c.format.read("row_first_nz", "$row + 1")));
  base.bind("const auto", "row_of", c.functor("row", c.origin("$row")));
  c.bind_ports(base);
  return {c.format.read("thread_first_row", "$thread"),
          c.format.read("thread_first_row", "$thread + 1"), stage_products(c)};
}

}  // namespace alphasparse
