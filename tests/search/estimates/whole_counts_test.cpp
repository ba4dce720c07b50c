// whole_counts_test: the modelled time of a whole matrix, by the multiplied counts of a sample.
// ctest label: emulator
#include "runtime/emulated/whole_counts.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/device/known_kernel.h"
#include "runtime/emulated/kernel.h"
#include "search/estimates/sample.h"
#include "search/trial/trial.h"
#include "tests/support/battery.h"
#include "tests/support/emulated_fixture.h"

namespace alphasparse {
namespace {

/// Full blocks of 3 x 3. Each group of three rows has eight or nine of them, around the diagonal
/// and at two distances from it. A row has 24 or 27 entries, so that rows begin at all places of a
/// sector.
Matrix blocks_of_a_mesh(std::int32_t groups) {
  Matrix matrix;
  matrix.rows = matrix.cols = 3 * groups;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (const std::int32_t distance : {-300, -299, -1, 0, 1, 2, 3, 300, 301}) {
      const std::int32_t group = row / 3 + distance;
      if (group < 0 || group >= groups || (distance == 3 && row / 3 % 5 < 2)) continue;
      for (std::int32_t k = 0; k < 3; ++k) matrix.col.push_back(3 * group + k);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  return matrix;
}

std::string line_of(std::string_view name) {
  for (const NamedDesign& named : named_designs(Target::gpu)) {
    if (named.name == name) return std::string(named.line);
  }
  ADD_FAILURE() << "no design " << name;
  return "";
}

/// A design's kernel on a matrix, built once for the times of both regimes.
class Built {
 public:
  Built(const Matrix& matrix, const std::string& design) {
    Designer designer(matrix);
    Result<Kernel> kernel = designer.build(design, Dtype::f32);
    EXPECT_TRUE(kernel) << kernel.reason();
    const auto branches = designer.branches(*parse_design(design));
    EXPECT_TRUE(branches) << branches.reason();
    walks_rows_ = walks_whole_rows(*branches);
    kernel_ = std::make_unique<Kernel>(std::move(*kernel));
    loaded_ = std::make_unique<EmulatedKernel>(h200_tools(), *kernel_);
    const auto unbuilt = loaded_->build();
    EXPECT_FALSE(unbuilt) << unbuilt->reason;
  }

  /// The modelled time on the matrix, or from it as a sample of the whole.
  double time_us(CacheRegime regime, std::optional<WholeSizes> whole = {}) {
    if (whole && !walks_rows_) whole->longest_times = 1;
    TimingRequest request(regime);
    request.whole = whole;
    const auto timing = loaded_->time(zero_case(*kernel_), request);
    EXPECT_TRUE(timing) << timing.reason();
    return timing ? timing->time_us : 0;
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  std::unique_ptr<EmulatedKernel> loaded_;
  bool walks_rows_ = false;
};

double time_us(const Matrix& matrix, const std::string& design, CacheRegime regime,
               std::optional<WholeSizes> whole = {}) {
  return Built(matrix, design).time_us(regime, whole);
}

TEST(WholeCounts, TellTheTimeOfTheWholeWithinTenPercent) {
  const Matrix whole = blocks_of_a_mesh(100'000);
  const Matrix sample = make_sample(whole, 250'000);
  ASSERT_GT(whole.nnz(), 20 * sample.nnz());
  const WholeSizes sizes = size_whole(whole, sample, Dtype::f32);
  for (const char* name : {"sell-c-sigma", "bsr", "csr5", "csr-vector", "merge-csr"}) {
    Built of_whole(whole, line_of(name)), of_sample(sample, line_of(name));
    for (const CacheRegime regime : {CacheRegime::warm, CacheRegime::cold}) {
      const double counted_us = of_whole.time_us(regime);
      EXPECT_NEAR(of_sample.time_us(regime, sizes), counted_us, 0.1 * counted_us)
          << name << " " << regime_name(regime);
      EXPECT_LT(of_sample.time_us(regime), 0.5 * counted_us) << name;
    }
  }
}

// The matrix as its own sample has its own time.
TEST(WholeCounts, OfTheWholeAreItsCounts) {
  const Matrix matrix = blocks_of_a_mesh(3'000);
  const WholeSizes sizes = size_whole(matrix, matrix, Dtype::f32);
  EXPECT_EQ(sizes.times, 1);
  EXPECT_EQ(sizes.longest_times, 1);
  for (const char* name : {"sell-c-sigma", "csr5"}) {
    const std::string design = line_of(name);
    EXPECT_DOUBLE_EQ(time_us(matrix, design, CacheRegime::cold, sizes),
                     time_us(matrix, design, CacheRegime::cold))
        << name;
  }
}

// A row of the whole may be longer than all rows of the sample. It lengthens the wait of its
// worker, but not where all workers take equally many entries.
TEST(WholeCounts, TheLongestRowIsThatOfTheWhole) {
  const Matrix sample = blocks_of_a_mesh(3'000);
  WholeSizes sizes = size_whole(sample, sample, Dtype::f32);
  sizes.times = 10;
  for (const char* name : {"sell-c-sigma", "csr5"}) {
    const std::string design = line_of(name);
    sizes.longest_times = 1;
    const double short_us = time_us(sample, design, CacheRegime::warm, sizes);
    sizes.longest_times = 100;
    const double long_us = time_us(sample, design, CacheRegime::warm, sizes);
    if (name == std::string("csr5"))
      EXPECT_EQ(long_us, short_us);
    else
      EXPECT_GT(long_us, 3 * short_us);
  }
}

TEST(WholeCounts, BoundsStayBelowTimes) {
  const Matrix whole = blocks_of_a_mesh(50'000);
  const Matrix sample = make_sample(whole, 250'000);
  const WholeSizes sizes = size_whole(whole, sample, Dtype::f32);
  for (const std::string& design : named_lines(Target::gpu)) {
    Designer designer(sample);
    const Result<Kernel> kernel = designer.build(design, Dtype::f32);
    if (!kernel) continue;
    const auto branches = designer.branches(*parse_design(design));
    const LeastWork work = whole_work(
        least_work(*kernel, *branches, touched_x_bytes(sample, Dtype::f32)), *kernel, sizes);
    const LowerBound bound = modelled_bound(h200_tools().gpu(), work, CacheRegime::warm);
    EXPECT_LE(bound.time_us, 1.02 * time_us(sample, design, CacheRegime::warm, sizes)) << design;
  }
}

// A trial on a sample verifies nothing. Its outcome is counted, and is no answer.
TEST(WholeCounts, ATrialOnASampleCounts) {
  const Matrix whole = blocks_of_a_mesh(50'000);
  const Matrix sample = make_sample(whole, 250'000);
  const std::string design = line_of("sell-c-sigma");
  const std::unique_ptr<Device> device = open_device("emulated:h200");
  Trial trial(sample, *device, {});
  trial.stand_for(size_whole(whole, sample, Dtype::f32));
  const Measurement outcome = trial.run(design, {});
  EXPECT_EQ(outcome.status, Status::ok) << outcome.reason;
  EXPECT_TRUE(outcome.counted);
  EXPECT_FALSE(outcome.verified);
  ASSERT_TRUE(is_timed(outcome));
  const double counted_us = time_us(whole, design, CacheRegime::warm);
  EXPECT_NEAR(outcome.timing->time_us, counted_us, 0.1 * counted_us);
  const Measurement of_whole = Trial(sample, *device, {}).run(design, {});
  EXPECT_TRUE(of_whole.verified);
  EXPECT_FALSE(of_whole.counted);
}

}  // namespace
}  // namespace alphasparse
