// cpu_costs_test: every total that CPUs can run has its costs, and another one is a fault.
#include "generator/layouts/cpu_costs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

TEST(CpuCosts, AreKnownOfEveryNamedDesign) {
  const Matrix matrix = battery_matrix("stencil_23");
  Designer designer(matrix);
  int priced = 0;
  for (const std::string& line : named_lines(Target::cpu)) {
    const auto branches = designer.branches(*parse_design(line));
    if (!branches.ok()) continue;
    for (const Store& store : *branches) {
      const TotalCost cost = cpu_cost(store, kind_of(store).reads(store));
      EXPECT_GT(cost.entry_ns, 0) << line;
      EXPECT_GT(cost.unit_ns, 0) << line;
    }
    ++priced;
  }
  EXPECT_GT(priced, 10);
}

/// A gang costs the same where its lanes are a warp and where they are not.
TEST(CpuCosts, OfAGangAreThoseOfAllItsLanes) {
  const Matrix matrix = pattern(64, std::vector<std::vector<int>>(64, {0, 1}));
  Designer designer(matrix, Target::cpu);
  for (const char* const warps : {"", "warp_rows rows=32 | "}) {
    const std::string line = std::string("compress | ") + warps +
                             "thread_rows rows=1 | thread_pad | interleave | thread_total | "
                             "global_store | launch tasks=bytes";
    const auto branches = designer.branches(*parse_design(line));
    ASSERT_TRUE(branches.ok()) << line;
    const Store& store = branches->front();
    ASSERT_EQ(store.gang(), 32) << line;
    const TotalCost cost = cpu_cost(store, kind_of(store).reads(store));
    EXPECT_DOUBLE_EQ(cost.unit_ns * static_cast<double>(cpu_units(store)),
                     2 * shared_cost("gang", 32).unit_ns)
        << line;
  }
}

TEST(CpuCosts, OfAnUnknownTotalAreAFault) { EXPECT_DEATH(shared_cost("new", 0), ""); }

}  // namespace
}  // namespace alphasparse
