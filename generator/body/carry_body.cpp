#include "generator/body/carry_body.h"

#include <fmt/format.h>

#include "generator/code/printer.h"

namespace alphasparse {

namespace {

constexpr std::int32_t parts_of_a_thread = 8;  ///< more of them are shared by a warp

}  // namespace

CarryBody carry_body(const Carries& carries, std::string_view epilogue, int threads,
                     FormatStruct& format) {
  const auto count = static_cast<std::int64_t>(carries.rows.size());
  format.add("carry_row", carries.rows, "rows of y that tiles share");
  format.add("carry_first", carries.first_slot, "first carry of each of them");
  const bool by_warp = carries.parts_max > parts_of_a_thread;
  const int rows_of_block = by_warp ? threads / 32 : threads;
  CarryBody body;
  body.blocks = (count + rows_of_block - 1) / rows_of_block;
  body.fragments = {"carry_total", epilogue};
  std::vector<Slot> slots_of_body(2);
  slots_of_body[0].bind("const int", "index",
                        code("blockIdx.x * {} + {}", rows_of_block,
                             by_warp ? "threadIdx.x / warp_size" : "threadIdx.x"));
  if (by_warp) slots_of_body[0].bind("const int", "lane", "threadIdx.x % warp_size");
  Slot& inner = slots_of_body[1];
  if (count % rows_of_block != 0) {
    inner.kind = Slot::Kind::guard;
    inner.condition = code("$index < {}", count);
  }
  const Code lane = by_warp ? "$lane" : "0";
  inner.after.push_back(local(
      "const Value", "sum",
      code("carry_total<{}>($f.carry(), {}, {}, {})", by_warp ? 32 : 1,
           format.read("carry_first", "$index"), format.read("carry_first", "$index + 1"), lane)));
  Code total = "$sum";
  if (by_warp) {
    body.fragments.push_back("warp_total");
    inner.after.push_back(local("const Value", "warp_sum", "warp_total<32>($sum)"));
    total = "$warp_sum";
  }
  inner.after.push_back(
      call(code("{}($out, {}, {})", epilogue, format.read("carry_row", "$index"), total),
           by_warp ? "$lane == 0" : ""));
  body.text = printed(without_unread(slots_of_body), 1);
  return body;
}

}  // namespace alphasparse
