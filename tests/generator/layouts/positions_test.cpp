// positions_test: a thread counts stored positions by an int, and so one round of its steps beyond
// the last one.
#include "generator/layouts/positions.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "generator/arrays/matrix.h"

namespace alphasparse {
namespace {

TEST(Positions, LeaveRoomForAStep) {
  EXPECT_FALSE(uncounted_reason(index_limit - 1024, 1, 1));
  EXPECT_TRUE(uncounted_reason(index_limit - 1023, 1, 1)) << "a block's threads may share a row";
  EXPECT_FALSE(uncounted_reason(index_limit / 2, index_limit / 2, 1));
  EXPECT_TRUE(uncounted_reason(index_limit / 2 + 1, index_limit / 2 + 1, 1));
}

/// A layout with one entry a thread, all side by side, as thread_total_sums steps through it.
TEST(Positions, LeaveRoomForARoundOfSums) {
  for (const int sums : {2, 4}) {
    const std::int64_t fits = index_limit / (sums + 1);
    EXPECT_FALSE(uncounted_reason(fits, fits, sums));
    // The largest number of the fragment's loops, of GPUs and of lanes.
    EXPECT_LE(fits - 1 + sums * fits, index_limit);
    const auto why = uncounted_reason(fits + 1, fits + 1, sums);
    ASSERT_TRUE(why);
    EXPECT_NE(why->find("use sums=1"), std::string::npos) << *why;
    EXPECT_FALSE(uncounted_reason(fits + 1, fits + 1, 1));
  }
}

}  // namespace
}  // namespace alphasparse
