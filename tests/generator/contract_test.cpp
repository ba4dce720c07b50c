// contract: every operator leaves a store whose invariants hold, every design a layout that holds
// the matrix; and each invariant, broken, is named.
#include "generator/contract.h"

#include <gtest/gtest.h>

#include "generator/plan.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

constexpr int seeds_per_matrix = 20;

/// The contract after every step of the design, and of its layout.
void check_design(const Matrix& matrix, const std::string& text) {
  const Result<Store> store =
      apply_steps(matrix, text, [](const Store& after, const std::string& prefix) {
        ASSERT_EQ(check_store(after), "") << prefix;
      });
  ASSERT_TRUE(store.ok()) << store.reason();
  const Result<BranchPlan> plan = plan_branch(*store);
  ASSERT_TRUE(plan.ok()) << plan.reason();
  EXPECT_EQ(check_layout(*store, plan->layout), "");
}

TEST(Contract, RootStoresHold) {
  for (const NamedMatrix& entry : battery()) {
    EXPECT_EQ(check_store(Store(entry.matrix)), "") << entry.name;
  }
}

TEST(Contract, NamedDesignsHoldAfterEveryStep) {
  for (const NamedMatrix& entry : battery()) {
    for (const NamedDesign& design : named_designs()) {
      SCOPED_TRACE(entry.name + ", " + std::string(design.name));
      check_design(entry.matrix, std::string(design.line));
    }
  }
}

TEST(Contract, RandomDesignsHoldAfterEveryStep) {
  for (const NamedMatrix& entry : battery()) {
    for (int seed = 0; seed < seeds_per_matrix; ++seed) {
      const std::string design = random_design(entry.matrix, seed);
      SCOPED_TRACE("matrix " + entry.name + ", seed " + std::to_string(seed) + ": " + design);
      check_design(entry.matrix, design);
    }
  }
}

TEST(Contract, RandomDesignsBuild) {
  for (const NamedMatrix& entry : battery()) {
    Designer designer(entry.matrix);
    for (int seed = 0; seed < seeds_per_matrix; ++seed) {
      const std::string design = random_design(entry.matrix, seed);
      SCOPED_TRACE("matrix " + entry.name + ", seed " + std::to_string(seed) + ": " + design);
      const Result<Kernel> kernel =
          designer.build(design, seed % 2 == 0 ? Dtype::f32 : Dtype::f64, {1e6, 1 << 30});
      ASSERT_TRUE(kernel.ok()) << kernel.reason();
      EXPECT_EQ(kernel->design, design);
    }
  }
}

}  // namespace
}  // namespace alphasparse
