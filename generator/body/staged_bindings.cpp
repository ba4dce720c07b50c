// staged_bindings: the slice of x of a block as its kernel brings it into shared memory.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generator/body/passes.h"

namespace alphasparse {

void stage_slice_of_x(Composition& c) {
  StagedColumns& staged = *c.slices;
  const std::string block = part_name(c.store, *c.store.level(Level::block));
  c.body.x_values = std::max<std::int64_t>(1, staged.most);
  Slot& slot = c.slots[c.block_slot];
  const Code this_block = Code::named(block);
  Code size, column;
  if (c.store.staged == StagedX::range) {
    c.format.add(block + "_first_col", std::move(staged.first_col),
                 "first column of each " + block + "'s slice of x");
    c.format.add(block + "_cols", std::move(staged.size), "columns of it");
    size = c.format.read(block + "_cols", this_block);
    column = code("{} + $index", c.format.read(block + "_first_col", this_block));
  } else {
    c.format.add("slice_column", std::move(staged.cols), "column of each element of a slice of x");
    c.format.add(block + "_first_slice", std::move(staged.first),
                 "first element of each " + block + "'s slice of x");
    const std::string first = block + "_first_slice";
    slot.bind("const int", "slice_first", c.format.read(first, this_block));
    size = code("{} - $slice_first", c.format.read(first, code("{} + 1", this_block)));
    column = c.format.read("slice_column", "$slice_first + $index");
  }
  slot.bind("const auto", "staged_column", c.functor("index", column));
  slot.bindings.push_back(
      call(code("{}<{}>($x_slice, {}, $x, $staged_column)", c.use("stage_x"), c.threads(), size)));
}

}  // namespace alphasparse
