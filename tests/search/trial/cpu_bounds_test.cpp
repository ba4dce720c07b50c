// ctest label: timing
// cpu_bounds: no time that this processor takes lies below its bound from before compiling.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "operators/named_designs.h"
#include "runtime/device/cpu_roofline.h"
#include "search/trial/trial.h"

namespace alphasparse {
namespace {

/// A band of so many diagonals.
Matrix band(std::int32_t rows, std::int32_t diagonals) {
  Matrix matrix;
  matrix.rows = matrix.cols = rows;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t col = row; col < std::min(rows, row + diagonals); ++col) {
      matrix.col.push_back(col);
      matrix.value.push_back(1 + col % 3);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  return matrix;
}

struct CpuBounds : ::testing::TestWithParam<std::tuple<const char*, Dtype, std::int32_t>> {};

// x is read in order, and nothing is short: nowhere is a kernel nearer to the throughput of caches.
TEST_P(CpuBounds, AreBelowWhatWasMeasured) {
  const auto& [name, dtype, rows] = GetParam();
  const Matrix matrix = band(rows, 24);
  const auto device = open_device(name);
  const auto rates = measure_read_rates(*open_device("cpu:1"), device->info().threads, 1 << 26);
  ASSERT_TRUE(rates.ok()) << rates.reason();
  ASSERT_GE(rates->size(), 3u);
  for (std::size_t i = 1; i < rates->size(); ++i)
    EXPECT_GT((*rates)[i].bytes, (*rates)[i - 1].bytes);
  TuneOptions options;
  options.dtype = dtype;
  Trial trial(matrix, *device, options);
  Designer designer(matrix, Target::cpu);
  int bounded = 0;
  for (const char* const design : {"csr-scalar", "ell", "sell-c-sigma", "dia"}) {
    const std::string line = resolve_design(design, Target::cpu);
    const Measurement outcome = trial.run(line, {}, 1e9);
    ASSERT_EQ(outcome.status, Status::ok) << outcome.reason;
    const auto kernel = designer.build(line, dtype);
    const auto branches = designer.branches(*parse_design(line));
    ASSERT_TRUE(kernel.ok() && branches.ok());
    const LowerBound bound =
        measured_bound(*rates, least_work(*kernel, *branches, touched_x_bytes(matrix, dtype)));
    EXPECT_GT(bound.time_us, 0) << design;
    EXPECT_LE(bound.time_us, outcome.timing->time_us_min) << design << ": " << bound.cause;
    EXPECT_LE(outcome.bound_us, outcome.timing->time_us_min) << design;
    bounded += outcome.bound_us > 0;
  }
  EXPECT_EQ(bounded, 4);
}

INSTANTIATE_TEST_SUITE_P(Sizes, CpuBounds,
                         ::testing::Values(std::tuple{"cpu:1", Dtype::f32, 2000},
                                           std::tuple{"cpu:1", Dtype::f64, 40000},
                                           std::tuple{"cpu", Dtype::f64, 40000}));

TEST(CpuBound, RejectsWhatCannotBeTheBest) {
  const Matrix matrix = band(20000, 4);
  const auto device = open_device("cpu:1");
  Trial trial(matrix, *device, {});
  const std::string scalar = resolve_design("csr-scalar", Target::cpu);
  const Measurement hopeless = trial.run(scalar, {}, 1e-2);
  EXPECT_EQ(hopeless.status, Status::pruned);
  EXPECT_NE(hopeless.reason.find("needs at least "), std::string::npos) << hopeless.reason;
  EXPECT_NE(hopeless.reason.find(" GB/s, the best takes 0.0 us"), std::string::npos)
      << hopeless.reason;
  trial.exempt({CanonicalDesign::read(scalar).value()});
  EXPECT_EQ(trial.run(scalar, {}, 1e-2).status, Status::ok);
}

}  // namespace
}  // namespace alphasparse
