// mix_bindings: the arrays and functors by which a kernel reads blocks and single entries.
#include <fmt/format.h>

#include <algorithm>

#include "generator/arrays/format_struct.h"
#include "generator/code/composition.h"
#include "generator/layouts/kinds/mix.h"
#include "generator/layouts/thread_range.h"

namespace alphasparse {

namespace {

std::vector<std::int32_t> narrowed(const std::vector<std::int64_t>& entries) {
  return {entries.begin(), entries.end()};
}

/// Adds the array that says where the blocks or single entries of each warp begin.
void add_beginnings(Composition& c, const std::string& array, const char* of_what,
                    const std::vector<std::int64_t>& first) {
  c.format.add(array, narrowed(first), fmt::format("first {} of each warp", of_what));
}

const char* const first_block = "warp_first_block";
const char* const first_single = "warp_first_single";

}  // namespace

void add_mix_columns(BranchPlan& plan, const Matrix&, FormatStruct& format) {
  const auto slices = mix_slices(*plan.store);
  const std::int32_t width = mix_width(*plan.store);
  const std::vector<std::int32_t> all = std::move(plan.layout.column);
  std::vector<std::int32_t> columns;
  columns.reserve(slices->first_single.back());
  for (std::size_t warp = 0; warp < slices->tiles.size(); ++warp) {
    const std::int64_t cells = slices->first_block[warp + 1] * width;
    columns.insert(columns.end(), all.begin() + cells + slices->first_single[warp],
                   all.begin() + cells + slices->first_single[warp + 1]);
  }
  format.add("block_first_col", std::move(plan.layout.blocks->first_col),
             "first column of each block", true);
  std::vector<std::uint32_t>& bits = plan.layout.blocks->bits;
  Integers cells(bits.begin(), bits.end());
  std::vector<std::uint32_t>().swap(bits);
  format.add("block_places", std::move(cells), "bit c: the row of the block has its column c");
  format.add("column", std::move(columns), "column of each single entry", true);
  if (plan.store->launch.streamed) format.stream({"block_first_col", "column"});
}

Code bind_mix(Composition& c) {
  const auto slices = mix_slices(c.store);
  const std::int32_t width = mix_width(c.store);
  add_beginnings(c, first_block, "block", slices->first_block);
  add_beginnings(c, first_single, "single entry", slices->first_single);
  const auto bind = [&](const char* name, const char* array) {
    c.slots[0].bind(
        "const auto", name,
        code("[&](auto block) {{ return {}; }}", c.format.read_lanes(array, "block", true)));
  };
  bind("column_of", "block_first_col");
  bind("bits_of", "block_places");
  Slot& slot = c.slots.back();
  slot.bind("const int", "first_single", c.format.read(first_single, "$warp"));
  slot.bind("const int", "end_cells",
            code("{} * {}", width, c.format.read(first_block, "$warp + 1")));
  slot.bind(
      "const auto", "value_of",
      code("[&](auto cell) {{ return {}; }}", c.format.read_runs("value", "$first_single + cell")));
  slot.bind("const auto", "term",
            code("[&](auto entry) {{\n  return {} * {}($x, {});\n}}",
                 c.format.read_lanes("value", "$end_cells + entry", false), c.use("gather"),
                 c.format.read_lanes("column", "entry", true)));
  return {};
}

Range mix_range(Composition& c) {
  Range range;
  range.first = code("$first_single + {}", c.lane());
  range.end = c.format.read(first_single, "$warp + 1");
  range.step = code("{}", c.plan.layout.stride);
  range.first_block = code("{} + {}", c.format.read(first_block, "$warp"), c.lane());
  range.end_block = c.format.read(first_block, "$warp + 1");
  return range;
}

}  // namespace alphasparse
