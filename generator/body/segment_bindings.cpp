// segment_bindings: CSR5's arrays as a kernel reads them - packed words, their fields, and rows of
// segments.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generator/arrays/fragment.h"
#include "generator/body/passes.h"

namespace alphasparse {

namespace {

class SegmentLets {
 public:
  explicit SegmentLets(Composition& composition) : c_(composition) {}

  /// The arrays of heads and tails, and the values and functors made of them.
  SegmentNames add() {
    SegmentArrays& arrays = *c_.segments;
    const Code tile = Code::named(level_name(c_.plan.tile_level));
    Slot& base = c_.slot_of_tile();
    bind_tile(base, arrays, tile);
    if (passes(c_.store.chain(), Role::lane_starts)) {
      bind_lane_starts(base, arrays, tile);
    } else {
      bind_word(c_.slots.back(), arrays);
    }
    c_.bind_ports(base);
    return names_;
  }

 private:
  void bind_tile(Slot& base, SegmentArrays& arrays, const Code& tile) {
    c_.format.add_u32("tile_ptr", std::exchange(arrays.tile_ptr, {}),
                      arrays.some_empty_rows
                          ? "row of each tile's first non-zero; bit 31: the tile has empty rows"
                          : "row of each tile's first non-zero");
    Code row = "$first_row + $segment";
    if (!arrays.some_empty_rows) {
      base.bind("const int", "first_row", c_.format.read("tile_ptr", tile));
    } else {
      c_.format.add_field("first_row_of", "int", "$word & 0x7fffffffu", "bits 0 to 30 of tile_ptr");
      c_.format.add_field("has_empty_rows", "bool", "$word >> 31 != 0", "bit 31 of tile_ptr");
      base.bind("const unsigned", "tile", c_.format.read("tile_ptr", tile));
      base.bind("const int", "first_row", c_.format.field("first_row_of", "$tile"));
      base.bind("const bool", "has_empty_rows", c_.format.field("has_empty_rows", "$tile"));
      c_.format.add("empty_offset_first", std::exchange(arrays.empty_offset_first, {}),
                    "first empty_offset of each tile");
      c_.format.add(
          "empty_offset", std::exchange(arrays.empty_offset, {}),
          "row of each segment, relative to its tile's first; tiles with empty rows only");
      base.bind("const int", "empty_offset_first", c_.format.read("empty_offset_first", tile));
      row = code("$first_row + ($has_empty_rows ? {} : $segment)",
                 c_.format.read("empty_offset", "$empty_offset_first + $segment"));
    }
    base.bind("const auto", "row_of", c_.functor("segment", c_.origin(row), true));
  }

  /// One flag a lane: a word a warp.
  void bind_lane_starts(Slot& base, SegmentArrays& arrays, const Code& tile) {
    const std::vector<std::uint32_t> flags = std::exchange(arrays.bit_flag, {});
    arrays.y_offset = {};
    arrays.seg_offset = {};
    std::vector<std::uint32_t> words(flags.size() / 32, 0);
    for (std::size_t thread = 0; thread < flags.size(); ++thread) {
      words[thread / 32] |= flags[thread] << thread % 32;
    }
    c_.format.add_u32("lane_starts", words, "bit l: lane l of the warp opens a segment");
    base.bind("const unsigned", "starts", code("{} & ~1u", c_.format.read("lane_starts", tile)),
              "A tile's first flag is always set; its row may have begun in the tile before.");
  }

  using Words = std::vector<std::uint32_t>;

  /// The flags and the offsets of each thread, the latter above its flags where both are `packed`.
  static std::pair<Words, Words> make_words(SegmentArrays& arrays, bool packed, int part_size,
                                            int y_bits, int seg_bits) {
    Words flags = std::exchange(arrays.bit_flag, {}), apart;
    const std::vector<std::uint16_t> open = std::exchange(arrays.y_offset, {}),
                                     followers = std::exchange(arrays.seg_offset, {});
    if (y_bits == 0) return {std::move(flags), std::move(apart)};
    if (!packed) apart.resize(flags.size(), 0);
    for (std::size_t i = 0; i < flags.size(); ++i) {
      std::uint32_t offsets = open[i];
      if (seg_bits > 0) offsets |= std::uint32_t{followers[i]} << y_bits;
      if (packed)
        flags[i] |= offsets << part_size;
      else
        apart[i] = offsets;
    }
    return {std::move(flags), std::move(apart)};
  }

  /// bit_flag, y_offset and seg_offset in one word where they fit, else in two.
  void bind_word(Slot& slot, SegmentArrays& arrays) {
    const int part_size = c_.thread_level().part_size;
    const LevelFacts& tiles = *c_.store.level(c_.plan.tile_level);
    const int y_bits = c_.plan.tile_level == Level::thread ? 0 : count_bits(tiles.part_size);
    const int seg_bits = passes(c_.store.chain(), Role::seg_offset) ? 5 : 0;
    const bool packed = part_size + y_bits + seg_bits <= 32;
    const int shift = packed ? part_size : 0;
    const auto [flags, offsets] = make_words(arrays, packed, part_size, y_bits, seg_bits);
    const std::string layout =
        y_bits == 0 ? ""
                    : fmt::format("y_offset: bits {} to {}{}", shift, shift + y_bits - 1,
                                  seg_bits == 0 ? ""
                                                : fmt::format("; seg_offset: bits {} to {}",
                                                              shift + y_bits, shift + y_bits + 4));
    const std::string flag_doc = fmt::format("bit_flag: bits 0 to {}", part_size - 1);
    const unsigned mask = part_size == 32 ? ~0u : (1u << part_size) - 1;
    const Code offset_word = packed ? "$word" : "$offsets";
    c_.format.add_u32("thread_word", flags,
                      packed && y_bits > 0 ? flag_doc + "; " + layout : flag_doc);
    bind_word_of_thread(slot, "word", "thread_word");
    c_.format.add_field("bit_flag", "unsigned",
                        packed && y_bits > 0 ? code("$word & 0x{:x}u", mask) : "$word",
                        "bit k: item k opens a segment");
    if (!packed) {
      c_.format.add_u32("thread_offsets", offsets, layout);
      bind_word_of_thread(slot, "offsets", "thread_offsets");
    }
    bind_starts(slot, shift, y_bits, offset_word);
    if (seg_bits > 0) {
      c_.format.add_field("seg_offset", "int", code("$word >> {} & 31u", shift + y_bits),
                          "threads to the right that open no segment");
      names_.seg_offset = c_.format.field("seg_offset", offset_word);
    }
  }

  void bind_word_of_thread(Slot& slot, const std::string& name, const std::string& array) {
    if (c_.gang > 0) {
      slot.bind(c_.lanes_of_int(), name,
                code("loaded({})", c_.format.read_lanes(array, "$thread", false)));
    } else {
      slot.bind("const unsigned", name, c_.format.read(array, "$thread"));
    }
  }

  Code field(const std::string& name, const Code& word) {
    return c_.gang > 0 ? c_.format.field_of_lanes(name, word) : c_.format.field(name, word);
  }

  /// The first flag of a tile is always set, but its row may have begun in the tile before.
  void bind_starts(Slot& slot, int shift, int y_bits, const Code& offset_word) {
    const Code flags = field("bit_flag", "$word");
    const std::string reason =
        "A tile's first flag is always set; its row may have begun in the tile before.";
    if (y_bits == 0) {
      slot.bind("const unsigned", "starts", code("{} & ~1u", flags), reason);
      names_.open = "0";
      return;
    }
    const Code word = shift == 0 ? "$word" : code("$word >> {}", shift);
    c_.format.add_field("y_offset", "int", code("{} & 0x{:x}u", word, (1u << y_bits) - 1),
                        "segments that the threads before have opened");
    if (c_.gang > 0) {
      const std::string ints = c_.lanes_of_int();
      slot.bind(ints, "starts", code("without_first({})", flags), reason);
      slot.bind(ints, "open", code("at_least({} - 1, 0)", field("y_offset", offset_word)));
      names_.open = "$open";
      return;
    }
    const Code thread = c_.plan.tile_level == Level::warp ? "$lane" : "threadIdx.x";
    slot.bind("const unsigned", "starts", code("{} & ~unsigned({} == 0)", flags, thread), reason);
    slot.bind("const int", "open",
              code("max({} - 1, 0)", c_.format.field("y_offset", offset_word)));
    names_.open = "$open";
  }

  static int count_bits(int largest) {
    int bits = 1;
    while (largest >> bits != 0) ++bits;
    return bits;
  }

  Composition& c_;
  SegmentNames names_;
};

}  // namespace

SegmentNames bind_segments(Composition& composition) { return SegmentLets(composition).add(); }

}  // namespace alphasparse
