// tasks_test: the weight by which a CPU's units are shared out counts entries and, as so many
// entries, the time that a unit takes beside them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "generator/layouts/cpu_costs.h"
#include "operators/designer.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

struct WeightCase {
  const char* design;  ///< behind `compress`, before the launch
  const char* rows;    ///< of the table of costs
  int lanes;
  int threads;  ///< of a unit, each of which has the cost
  const char* part;
};

const WeightCase weight_cases[] = {
    {"thread_rows rows=1 | thread_total | global_store", "scalar", 0, 1, "row"},
    {"thread_cols lanes=8 | thread_total | warp_total | global_store", "lanes", 8, 1, "row"},
    {"warp_rows rows=8 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
     "global_store",
     "gang", 8, 1, "warp"},
    {"warp_rows rows=16 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
     "global_store",
     "gang", 16, 1, "warp"},
};

TEST(TaskWeights, CountAUnitAsItsEntriesAndItsOwnCost) {
  const Matrix matrix = battery_matrix("runs_of_empty_rows");
  Designer designer(matrix, Target::cpu);
  for (const WeightCase& one : weight_cases) {
    const std::string line = std::string("compress | ") + one.design + " | launch tasks=bytes";
    const auto kernel = designer.build(line, Dtype::f32);
    ASSERT_TRUE(kernel.ok()) << line;
    const TotalCost cost = shared_cost(one.rows, one.lanes);
    const auto own = std::max(1LL, std::llround(one.threads * cost.part_ns / cost.entry_ns));
    const std::string weighed = "+ " + std::to_string(own) + " * std::int64_t{" + one.part + "};";
    EXPECT_NE(kernel->source.find(weighed), std::string::npos) << line << ": " << weighed;
  }
}

}  // namespace
}  // namespace alphasparse
