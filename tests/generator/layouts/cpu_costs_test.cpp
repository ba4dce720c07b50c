// cpu_costs_test: every total that CPUs can run has its costs, and another one is a fault.
#include "generator/layouts/cpu_costs.h"

#include <gtest/gtest.h>

#include <string>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"

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

TEST(CpuCosts, OfAnUnknownTotalAreAFault) { EXPECT_DEATH(shared_cost("new", 0), ""); }

}  // namespace
}  // namespace alphasparse
