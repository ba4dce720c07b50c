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
      const TotalCost cost = cpu_cost(store, layout_kind(store).reads(store));
      EXPECT_GT(cost.entry_ns, 0) << line;
      EXPECT_GT(cost.part_ns, 0) << line;
    }
    ++priced;
  }
  EXPECT_GT(priced, 10);
}

struct GangCase {
  const char* before;  ///< of the line, up to the warps
  const char* warps;
  const char* behind;  ///< up to the total
  double part_ns;
};

/// A gang costs the same where its lanes are a warp and where they are not.
TEST(CpuCosts, OfAGangAreThoseOfAllItsLanes) {
  const double of_gang = shared_cost("gang", 32).part_ns;
  const char* const bands = "dense_block_peel rows=2 cols=2 share=0 { ";
  const GangCase cases[] = {
      {"compress | ", "warp_rows rows=32 | ", "thread_rows rows=1 | thread_pad | interleave",
       of_gang},
      {"compress | ", "warp_rows rows=32 | ", "thread_rows rows=1 | interleave by=ragged", 5.8},
      {bands, "warp_bands bands=32 | ", "thread_bands | thread_pad | interleave", 17.0},
  };
  const Matrix matrix = pattern(128, std::vector<std::vector<int>>(128, {0, 1}));
  Designer designer(matrix, Target::cpu);
  for (const GangCase& one : cases) {
    const bool is_branch = one.before == bands;
    for (const char* const warps : {"", one.warps}) {
      const std::string end = " | thread_total | global_store | launch tasks=bytes";
      const std::string rest = " } { compress | thread_rows rows=1" + end + " }";
      const std::string line =
          std::string(one.before) + warps + one.behind + end + (is_branch ? rest : "");
      const auto branches = designer.branches(*parse_design(line));
      ASSERT_TRUE(branches.ok()) << line << ": " << branches.reason();
      const Store& store = branches->front();
      ASSERT_EQ(store.gang(), 32) << line;
      const int gangs = is_branch ? 2 : 4;
      const TotalCost cost = cpu_cost(store, layout_kind(store).reads(store));
      EXPECT_DOUBLE_EQ(cost.part_ns * static_cast<double>(cpu_parts(store)), gangs * one.part_ns)
          << line;
    }
  }
}

TEST(CpuCosts, OfAnUnknownTotalAreAFault) { EXPECT_DEATH(shared_cost("new", 0), ""); }

}  // namespace
}  // namespace alphasparse
