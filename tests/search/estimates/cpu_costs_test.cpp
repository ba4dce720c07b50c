// cpu_costs_test: every total that CPUs can run has a row of costs, and another one is a fault.
#include "search/estimates/cpu_costs.h"

#include <gtest/gtest.h>

#include <string>

#include "generator/arrays/fragment.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"

namespace alphasparse {
namespace {

TEST(CpuCosts, AreKnownOfEveryNamedDesign) {
  const Matrix matrix = battery_matrix("stencil_23");
  Designer designer(matrix);
  int priced = 0;
  for (const std::string& line : named_lines(Target::cpu)) {
    const auto branches = designer.branches(*parse_design(line));
    if (!branches.ok()) continue;
    const CpuCost cost = cpu_cost(*branches);
    EXPECT_GT(cost.entries_ns, 0) << line;
    EXPECT_GT(cost.units_ns, 0) << line;
    ++priced;
  }
  EXPECT_GT(priced, 10);
}

TEST(CpuCosts, OfAnUnknownTotalAreAFault) {
  Store store = *apply_steps(battery_matrix("stencil_23"), "compress | thread_rows rows=1");
  Fragment unknown;
  unknown.name = "thread_total_new";
  store.call({&unknown, 0});
  EXPECT_DEATH(cpu_cost({store}), "");
}

}  // namespace
}  // namespace alphasparse
