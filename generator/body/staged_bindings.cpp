// staged_bindings: the slice of x of a block as its kernel brings it into shared memory.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generator/body/passes.h"

namespace alphasparse {

void stage_slice_of_x(Composition& c) {
  StagedColumns& staged = *c.slices;
  const std::string block = unit_name(c.store, *c.store.level(Level::block));
  const std::int64_t last_col = std::int64_t{c.store.cols()} - 1;
  c.body.x_values = std::max<std::int64_t>(1, staged.most);
  Slot& slot = c.slots[c.block_slot];
  const Code this_block = Code::named(block);
  Code size, column;
  if (c.store.staged == StagedX::range) {
    const auto blocks = static_cast<std::int64_t>(staged.size.size());
    c.format.add(block + "_first_col", std::move(staged.first_col),
                 {"first column of each " + block + "'s slice of x", 0, last_col, false});
    c.format.add(block + "_cols", std::move(staged.size), {"columns of it", 0, staged.most, false});
    c.format.require(
        {"end of a slice of x",
         entry_of(block + "_first_col", the_index()) + entry_of(block + "_cols", the_index()),
         blocks, 0, c.store.cols()});
    size = c.format.read(block + "_cols", this_block);
    column = code("{} + $place", c.format.read(block + "_first_col", this_block));
  } else {
    const auto listed = static_cast<std::int64_t>(staged.cols.size());
    const auto blocks = static_cast<std::int64_t>(staged.first.size()) - 1;
    c.format.add("slice_column", std::move(staged.cols),
                 {"column of each element of a slice of x", 0, last_col, false});
    c.format.add(block + "_first_slice", std::move(staged.first),
                 {"first element of each " + block + "'s slice of x", 0, listed, true});
    const std::string first = block + "_first_slice";
    c.format.require({"columns of a slice of x",
                      entry_of(first, the_index() + constant(1)) - entry_of(first, the_index()),
                      blocks, 0, staged.most});
    slot.bind("const int", "slice_first", c.format.read(first, this_block));
    size = code("{} - $slice_first", c.format.read(first, code("{} + 1", this_block)));
    column = c.format.read("slice_column", "$slice_first + $place");
  }
  slot.bind("const auto", "staged_column", c.functor("place", column));
  slot.bindings.push_back(
      call(code("{}<{}>($x_slice, {}, $x, $staged_column)", c.use("stage_x"), c.threads(), size)));
}

}  // namespace alphasparse
