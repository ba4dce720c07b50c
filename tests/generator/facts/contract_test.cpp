// contract: every operator leaves a store with all invariants, every design a layout that holds the
// matrix; and each invariant, broken, is named.
#include "generator/facts/contract.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/ranges.h"
#include "generator/body/plan.h"
#include "generator/layouts/layout_contract.h"
#include "generator/layouts/staged_x.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

const int seeds_per_matrix = std::getenv("ALPHASPARSE_LONG") ? 20 : 1;

/// The contract after every step of the design, and of its layout.
void check_design(const Matrix& matrix, const std::string& text) {
  Result<Store> store =
      apply_steps(matrix, text, [](const Store& after, const std::string& prefix) {
        ASSERT_EQ(check_store(after), "") << prefix;
        ASSERT_EQ(check_choice(after), "") << prefix;
      });
  ASSERT_TRUE(store.ok()) << store.reason();
  const Result<BranchPlan> plan = plan_branch(*store);
  ASSERT_TRUE(plan.ok()) << plan.reason();
  EXPECT_EQ(check_store(*store), "");
  // Where x is staged, the layout has places in its slices for columns.
  Store copy = *store;
  const Store placed = store->staged == StagedX::none ? copy : stage(copy).store;
  EXPECT_EQ(check_layout(placed, plan->layout), "");
}

TEST(Contract, RootStoresHold) {
  for (const NamedMatrix& entry : battery()) {
    EXPECT_EQ(check_store(Store(entry.matrix)), "") << entry.name;
  }
}

TEST(Contract, NamedDesignsHoldAfterEveryStep) {
  for (const NamedMatrix& entry : battery()) {
    for (const NamedDesign& design : named_designs(Target::gpu)) {
      SCOPED_TRACE(entry.name + ", " + std::string(design.name));
      check_design(entry.matrix, std::string(design.line));
    }
  }
}

/// Rows of 0 to 59 entries, side by side in threes, long enough for several cores.
Matrix large_matrix() {
  Matrix matrix;
  matrix.rows = matrix.cols = 24'000;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    const std::int32_t length = row % 97 == 0 ? 0 : row * 31 % 60;
    for (std::int32_t k = 0; k < length; ++k)
      matrix.col.push_back((row % 1000) + k / 3 * 700 + k % 3);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  return matrix;
}

TEST(Contract, LayoutsThatSeveralCoresMakeHold) {
  const Matrix matrix = large_matrix();
  ASSERT_EQ(check_canonical(matrix), "");
  ASSERT_GT(matrix.nnz(), 2 * range_least);
  for (const std::string design :
       {"sort_rows | compress | block_rows rows=128 | thread_rows rows=1 | thread_pad | interleave "
        "| thread_total",
        "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad multiple=4 | interleave "
        "run=4 | thread_total vector=4",
        "sort_rows | compress | block_rows rows=128 | thread_rows rows=1 | interleave by=ragged | "
        "thread_total",
        "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad length=own | interleave | "
        "thread_total",
        "compress | warp_rows rows=32 | thread_rows rows=1 | warp_diagonals | interleave | "
        "thread_total"}) {
    SCOPED_TRACE(design);
    check_design(matrix, design + " | global_store | launch threads=128");
  }
  for (const char* const name : {"bsell", "ell", "csr5", "sell-c-sigma"}) {
    SCOPED_TRACE(name);
    check_design(matrix, resolve_design(name));
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
