#include "generator/layouts/kinds/bitmap_bindings.h"

#include <fmt/format.h>

#include <utility>

#include "generator/code/composition.h"
#include "generator/layouts/kinds/bitmap.h"

namespace alphasparse {

void add_bitmap(Layout& layout, int cols, FormatStruct& format) {
  Bitmap bitmap = std::move(*layout.bitmap);
  const int words = bitmap_words(cols);
  format.add("band_first_block", std::move(bitmap.band_first),
             fmt::format("first block of each band of {} rows", bitmap_rows));
  format.add("block_first_col", std::move(bitmap.first_col), "first column of each block");
  format.add_u32("block_bits", bitmap.bits,
                 fmt::format("bit r * {} + c: row r{} of the block has column c", cols,
                             words == 1 ? "" : " of this half"));
  format.add("block_first_entry", std::move(bitmap.first_entry),
             words == 1 ? "stored position of each block's first bit"
                        : "stored position of the first bit of each half of a block");
}

Range bind_bitmap(Composition& c, int cols) {
  const int words = bitmap_words(cols);
  Slot& slot = c.slots.back();
  slot.bind("const int", "band", code("{} / {}", c.row, bitmap_rows));
  Code word = "$block";
  if (words > 1) {
    slot.bind("const int", "half", code("{} % {} / {}", c.row, bitmap_rows, 32 / cols));
    word = code("{} * $block + $half", words);
  }
  const auto bind_functor = [&](const std::string& name, const Code& read) {
    slot.bind("const auto", name, c.functor("block", read));
  };
  bind_functor("bits_of", c.format.read("block_bits", word));
  bind_functor("entry_of", c.format.read("block_first_entry", word));
  bind_functor("column_of", c.format.read("block_first_col", "$block"));
  Range range;
  range.first_block = c.format.read("band_first_block", "$band");
  range.end_block = c.format.read("band_first_block", "$band + 1");
  range.bit = code("{} % {} * {}", c.row, 32 / cols, cols);
  range.lane =
      c.thread_level().tiling == Tiling::lanes ? c.group_lane(c.thread_level().lanes) : "0";
  return range;
}

}  // namespace alphasparse
