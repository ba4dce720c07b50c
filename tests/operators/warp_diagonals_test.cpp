// warp_diagonals_test: how warps lie by their diagonals, the contract of that, and reasons
// against it.
#include <gtest/gtest.h>

#include <functional>

#include "generator/facts/layout.h"
#include "generator/layouts/kinds/diagonals.h"
#include "generator/layouts/layout_contract.h"
#include "generator/layouts/positions.h"
#include "operators/designer.h"
#include "tests/support/design_steps.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;

const std::string lined = "compress | warp_rows rows=2 | thread_rows rows=1 | warp_diagonals";

// Two warps of two rows each: columns 1 and 3 of one lane, and column 2 beside 0, 1 and 3.
TEST(WarpDiagonals, HaveAColumnEachAndABitForEachPosition) {
  const Layout layout = *assign_positions(*apply_steps(uneven, lined + " | interleave"));
  EXPECT_EQ(layout.stride, 32);
  EXPECT_EQ(layout.first_entry, (Entries{0, 64, 160}));
  EXPECT_EQ(layout.diagonal_column, (Entries{1, 3, -1, 0, 2}));
  const Entries sources[] = {{0, -1, -1}, {1, -1, -1}, {-1, 3, -1}, {-1, 4, -1}, {2, 5, -1}};
  const Entries columns[] = {{1, -1, -1}, {3, -1, -1}, {-1, 0, -1}, {-1, 1, -1}, {2, 3, -1}};
  for (int diagonal = 0; diagonal < 5; ++diagonal) {
    for (int lane = 0; lane < 3; ++lane) {
      EXPECT_EQ(layout.value_source[32 * diagonal + lane], sources[diagonal][lane]);
      EXPECT_EQ(layout.column[32 * diagonal + lane], columns[diagonal][lane]);
    }
  }
  EXPECT_EQ(layout.entry_bits, (std::vector<std::uint32_t>{1, 1, 2, 2, 3}));
  const Layout wide = *assign_positions(*apply_steps(uneven, lined + " | warp_pad | interleave"));
  EXPECT_EQ(wide.first_entry, (Entries{0, 96, 192}));
  EXPECT_EQ(wide.diagonal_column, (Entries{1, 3, 0, -1, 0, 2}));
}

TEST(WarpDiagonals, ArePaddedRowsOfWarps) {
  Store store = *apply_steps(uneven, lined);
  EXPECT_EQ(store.layout, LayoutChoice(WarpDiagonals{}));
  ASSERT_EQ(check_choice(store), "");
  store = *apply_steps(uneven, "compress | thread_rows rows=1");
  store.layout = WarpDiagonals{};
  EXPECT_EQ(check_choice(store), "by diagonals of warps, but the threads are no rows of warps");
}

/// 32768 rows of one entry each, no two of which in a warp lie on one diagonal.
const Matrix& scattered() {
  static const Matrix built = [] {
    std::vector<std::vector<int>> rows;
    for (int row = 0; row < 32768; ++row) rows.push_back({row * 37 % 32768});
    return pattern(32768, rows);
  }();
  return built;
}

struct RefusedDiagonals {
  const char* design;
  const char* reason;
  const Matrix& matrix = uneven;
};

const std::vector<RefusedDiagonals> refused_diagonals = {
    {"reorder by=columns x=gathered | compress | warp_rows rows=2 | thread_rows rows=1 | "
     "warp_diagonals",
     "warp_diagonals: the columns were renumbered, so diagonals are no lines any more"},
    {"compress | warp_rows rows=32 | thread_rows rows=1 | warp_diagonals",
     "warp_diagonals: the diagonals of its warps have 1048576 positions, of 32768 non-zeros; use "
     "thread_pad",
     scattered()},
    {"compress | warp_rows rows=2 | thread_rows rows=1 | warp_diagonals | interleave | "
     "thread_total "
     "| global_store | compact columns=deltas",
     "compact: a diagonal has one column for all its entries; use columns=fewest"},
};

TEST(WarpDiagonals, AreRefusedWithTheReasonThatIsWrittenOut) {
  for (const RefusedDiagonals& entry : refused_diagonals) {
    Designer designer(entry.matrix);
    const Result<std::vector<Store>> stores = designer.branches(*parse_design(entry.design));
    ASSERT_FALSE(stores.ok()) << entry.design;
    EXPECT_EQ(stores.reason(), entry.reason) << entry.design;
  }
}

}  // namespace
}  // namespace alphasparse
