// body: the text of one branch's kernel body, and the resources that it takes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/code.h"
#include "generator/arrays/fragment.h"
#include "generator/arrays/operands.h"

namespace alphasparse {

/// The facts that a CPU's task needs on the outermost parts, of which it takes a share.
struct TaskText {
  std::string part;  ///< their name: "row", "warp"
  Code weight;       ///< of all parts before one, an expression; empty: all weigh the same
  Code first_row;    ///< the row of y that one begins with; empty: none is shared
  Code end_row;      ///< behind those that it adds mirror images to; empty: it has none
};

struct Body {
  Code text;                                ///< statements, indented by one level
  std::int64_t blocks = 0;                  ///< of the grid; 0: the branch has no work at all
  TaskText tasks;                           ///< on a CPU: how its parts are shared out
  std::vector<std::string_view> fragments;  ///< called, epilogues included, in the order of use
  std::int64_t table_values = 0;            ///< of the table in shared memory; 0: there is none
  std::int64_t x_values = 0;                ///< of the slice of x in shared memory
  std::int64_t product_values = 0;          ///< of a block's products in shared memory
  std::int64_t row_ends = 0;                ///< of a block's rows, ints in shared memory
  bool has_flags = false;                   ///< a word a warp in shared memory
  InFlight in_flight = {};                  ///< of its terms

  /// All of it in bytes, for blocks of so many threads.
  std::int64_t shared_bytes(const Operands& operands, int threads) const {
    return (table_values + x_values + product_values) * operands.element_bytes() + row_ends * 4 +
           (has_flags ? threads / 8 : 0);
  }
};

/// The most shared memory of a block, without asking the driver for more.
inline constexpr std::int64_t shared_bytes_max = 48 << 10;

}  // namespace alphasparse
