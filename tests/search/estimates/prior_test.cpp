// prior_test: the expected times of designs, and that their cost does not grow with the matrix.
#include "search/estimates/prior.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/device/device.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

/// Rows of `length` entries in any columns, one of them `giant` times as long.
Matrix drawn(std::int32_t rows, std::int32_t length, std::int32_t giant = 1) {
  std::mt19937 random(1);
  Matrix matrix;
  matrix.rows = matrix.cols = rows;
  matrix.row_first.push_back(0);
  for (std::int32_t row = 0; row < rows; ++row) {
    std::vector<std::int32_t> cols(
        static_cast<std::size_t>(row == rows / 2 ? giant * length : length));
    for (std::int32_t& col : cols)
      col = static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(rows));
    std::sort(cols.begin(), cols.end());
    cols.erase(std::unique(cols.begin(), cols.end()), cols.end());
    matrix.col.insert(matrix.col.end(), cols.begin(), cols.end());
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  return matrix;
}

struct Prior : ::testing::TestWithParam<const char*> {
  PriorConditions conditions() const { return {open_device(GetParam())->info()}; }

  double expected(const Matrix& matrix, const char* name) const {
    const PriorConditions where = conditions();
    const auto design = CanonicalDesign::read(resolve_design(name, where.device.target)).value();
    const auto times = expected_times(matrix, {design}, where, {});
    return times.contains(design) ? times.at(design) : 0;
  }
};

TEST_P(Prior, ExpectsATimeOfEveryNamedDesignThatTheMatrixAllows) {
  const Matrix matrix = battery_matrix("power_law");
  const PriorConditions where = conditions();
  const Designs named = canonical_named_designs(where.device.target);
  const auto times = expected_times(matrix, named, where, {});
  Designer designer(matrix, where.device.target);
  for (const CanonicalDesign& design : named) {
    EXPECT_EQ(times.contains(design), designer.build(design.text(), Dtype::f32).ok()) << design;
    if (!times.contains(design)) continue;
    EXPECT_GT(times.at(design), 0) << design;
  }
}

TEST_P(Prior, AMiniatureStandsForTheWhole) {
  const Matrix once = drawn(100'000, 10), thrice = drawn(300'000, 10);
  for (const char* const name : {"csr-scalar", "sell-c-sigma"}) {
    const double ratio = expected(thrice, name) / expected(once, name);
    EXPECT_GT(ratio, 1.5) << name;
    EXPECT_LT(ratio, 4) << name;
  }
}

TEST_P(Prior, WhoNoLongerWaitsExpectsNothing) {
  const std::atomic<bool> stop = true;
  const Matrix matrix = battery_matrix("power_law");
  const PriorConditions where = conditions();
  EXPECT_TRUE(
      expected_times(matrix, canonical_named_designs(where.device.target), where, {{}, &stop})
          .empty());
}

using PriorOnCpu = Prior;

TEST_P(PriorOnCpu, PadsOfOneLongRowCount) {
  const Matrix matrix = drawn(4000, 8, 10);
  EXPECT_GT(expected(matrix, "ell"), 3 * expected(matrix, "sell-c-sigma"));
}

INSTANTIATE_TEST_SUITE_P(All, PriorOnCpu, ::testing::Values("cpu:1"));

INSTANTIATE_TEST_SUITE_P(All, Prior, ::testing::Values("emulated:h200", "cpu:1"),
                         [](const auto& device) { return std::string(device.param).substr(0, 3); });

/// With several threads, rows that are sorted as a whole share their lines of y, and bands do not.
TEST(CpuPrior, CountsTheLinesThatThreadsShare) {
  const Matrix matrix = battery_matrix("power_law");
  const auto of = [&](const std::string& sort, int threads) {
    PriorConditions where{open_device("cpu:1")->info()};
    where.device.threads = threads;
    const auto design = CanonicalDesign::read(
        sort +
        " | compress | warp_rows rows=8 | thread_rows rows=1 | thread_pad | interleave | "
        "thread_total | global_store | launch tasks=bytes");
    return expected_times(matrix, {design.value()}, where, {}).at(design.value());
  };
  const double whole = of("sort_rows", 2) / of("sort_rows", 1),
               bands = of("sort_rows_in_bands rows=256", 2) / of("sort_rows_in_bands rows=256", 1);
  EXPECT_GT(whole, bands);
  EXPECT_GE(bands, 0.5);
}

/// A gang of 32 rows adds up fastest for one vector. For 32 vectors registers hold few of its sums.
TEST(CpuPrior, SumsOfManyColumnsLeaveTheRegisters) {
  const Matrix matrix = drawn(4000, 20);
  PriorConditions where{open_device("cpu:1")->info()};
  const auto gain = [&](int vectors) {
    where.vectors = vectors;
    Designs designs;
    for (const char* const name : {"csr-scalar", "sell-c-sigma"})
      designs.push_back(CanonicalDesign::read(resolve_design(name, Target::cpu)).value());
    const auto times = expected_times(matrix, designs, where, {});
    return times.at(designs[0]) / times.at(designs[1]);
  };
  EXPECT_GT(gain(1), 1.2);
  EXPECT_LT(gain(32), 0.8);
}

/// Cold caches hold nothing: a format of more bytes costs more than its entries.
TEST(CpuPrior, ReadsFromMemoryWhereCachesAreCold) {
  const Matrix matrix = battery_matrix("power_law");
  PriorConditions where{open_device("cpu:1")->info()};
  const auto design = CanonicalDesign::read(resolve_design("csr-scalar", Target::cpu)).value();
  const double warm = expected_times(matrix, {design}, where, {}).at(design);
  where.regime = CacheRegime::cold;
  EXPECT_GT(expected_times(matrix, {design}, where, {}).at(design), warm);
}

}  // namespace
}  // namespace alphasparse
