// suite_test: how a suite shares its time out, and what it makes of matrices that are not there.
// ctest label: emulator
#include "tools/suite/suite.h"

#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <numeric>
#include <thread>

#include "tests/support/battery.h"
#include "tools/suite/shares.h"

namespace alphasparse {
namespace {

const std::atomic<bool> go_on = false;

/// What each of the searches is given where each takes just that.
std::vector<double> given(const std::vector<double>& nnz, double seconds, double seconds_each) {
  std::vector<double> all;
  double left = seconds;
  for (std::size_t i = 0; i < nnz.size(); ++i) {
    const std::vector<double> after(nnz.begin() + static_cast<std::ptrdiff_t>(i) + 1, nnz.end());
    all.push_back(search_seconds(nnz[i], after, left, seconds_each));
    EXPECT_LE(all.back(), left + 1e-9) << i;
    left -= all.back();
  }
  return all;
}

double sum(const std::vector<double>& all, std::size_t count) {
  return std::accumulate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), 0.);
}

TEST(SuiteShares, SearchesOfOneSizeGetOneShare) {
  const std::vector<double> all = given(std::vector<double>(52, 12e6), 500, 1000);
  EXPECT_NEAR(sum(all, 17), 500. * 17 / 52, 1) << "the first third of them";
  EXPECT_NEAR(all.front(), all.back(), 1e-6);
}

TEST(SuiteShares, LargerOnesGetMoreWhereverTheyStand) {
  const std::vector<double> all = given({1e6, 9e6, 1e3, 9e6, 1e6}, 230, 1000);
  EXPECT_NEAR(all[0], all[4], 1e-6);
  EXPECT_NEAR(all[1], all[3], 1e-6);
  EXPECT_NEAR(all[1], 5 * all[0], 1e-6);
  EXPECT_NEAR(sum(all, 5), 230, 1e-6);
}

TEST(SuiteShares, NoneIsMoreThanIsLeftOrThanIsOfUse) {
  const std::vector<double> hurried = given(std::vector<double>(10, 1e6), 5, 20);
  EXPECT_EQ(hurried[0], 2) << "less would be no search";
  EXPECT_EQ(hurried[2], 1) << "what is left";
  EXPECT_NEAR(sum(hurried, 10), 5, 1e-9);
  EXPECT_EQ(search_seconds(1e6, {}, 500, 20), 20);
}

SuitePlan plan_of(std::vector<SuiteMatrix> matrices, double seconds) {
  SuitePlan plan;
  plan.matrices = std::move(matrices);
  plan.dtypes = {Dtype::f32};
  plan.regimes = {CacheRegime::warm};
  plan.seconds = seconds;
  return plan;
}

Matrix small() { return from_rows(3, {{{0, 1}, {2, 2}}, {}, {{1, 3}}}); }

TEST(Suite, ItsTimeBeginsWithTheFirstMatrixThatIsReady) {
  const auto late = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    return small();
  };
  const auto device = open_device("emulated:h200");
  const SuiteReport report =
      run_suite(plan_of({{"late", true, late, 3}}, 1), *device, go_on, [](const SuiteReport&) {});
  ASSERT_EQ(report.rows.size(), 1U) << "the time was over before there was a matrix";
  EXPECT_TRUE(report.rows.front().is_timed()) << report.rows.front().problem;
  EXPECT_GE(report.seconds_making, 1.5);
  EXPECT_EQ(report.seconds_reading, 0);
  EXPECT_EQ(report.rows.front().seconds_ready, report.seconds_making);
}

TEST(Suite, AMatrixThatFailsIsARowAndTheOthersGoOn) {
  const auto none = []() -> Matrix { throw std::bad_alloc(); };
  const auto device = open_device("emulated:h200");
  const SuiteReport report =
      run_suite(plan_of({{"none", true, none, 3}, {"small", false, small, 3}}, 20), *device, go_on,
                [](const SuiteReport&) {});
  ASSERT_EQ(report.rows.size(), 2U);
  int timed = 0;
  for (const SuiteRow& row : report.rows) {
    timed += row.is_timed();
    EXPECT_EQ(row.problem.empty(), row.matrix == "small") << row.problem;
  }
  EXPECT_EQ(timed, 1);
  EXPECT_NE(suite_text(report).find("none: "), std::string::npos) << suite_text(report);
}

}  // namespace
}  // namespace alphasparse
