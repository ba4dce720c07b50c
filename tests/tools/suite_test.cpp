// suite_test: how a suite shares its time out, and its rows of missing matrices.
// ctest label: emulator
#include "tools/suite/suite.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <new>
#include <numeric>
#include <thread>

#include "runtime/device/baseline_kernels.h"
#include "tests/support/battery.h"
#include "tests/support/outcomes.h"
#include "tools/suite/shares.h"

namespace alphasparse {
namespace {

const std::atomic<bool> go_on = false;

/// The time of each search where each uses all of its share; 0: the search is left out.
std::vector<double> given(std::vector<PlannedSearch> searches, double seconds,
                          double seconds_each) {
  std::vector<double> all;
  double left = seconds;
  while (!searches.empty()) {
    const SearchShare share = share_of_first(searches, left, seconds_each);
    all.push_back(share.covers ? share.seconds : 0);
    EXPECT_LE(all.back(), left + 1e-9) << searches.size();
    EXPECT_TRUE(!share.covers || all.back() >= searches.front().seconds_least);
    left -= all.back();
    searches.erase(searches.begin());
  }
  return all;
}

double sum(const std::vector<double>& all, std::size_t count) {
  return std::accumulate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), 0.);
}

TEST(SuiteShares, SearchesOfOneSizeGetOneShare) {
  const std::vector<double> all = given(std::vector<PlannedSearch>(52, {12e6, 5}), 500, 1000);
  EXPECT_NEAR(sum(all, 17), 500. * 17 / 52, 1) << "the first third of them";
  EXPECT_NEAR(all.front(), all.back(), 1e-6);
}

// Weights are 1, 5 and 1, their roots about 1, 2.24 and 1.
TEST(SuiteShares, LargerOnesGetMoreWhereverTheyStand) {
  const std::vector<double> all =
      given({{1e6, 3}, {9e6, 15}, {1e3, 1}, {9e6, 15}, {1e6, 3}}, 230, 1000);
  EXPECT_NEAR(all[0], all[4], 1e-6);
  EXPECT_NEAR(all[1], all[3], 1e-6);
  EXPECT_NEAR(all[1] - 15, std::sqrt(5) * (all[0] - 3), 1e-6);
  EXPECT_NEAR(sum(all, 5), 230, 1e-6);
}

TEST(SuiteShares, WhatDoesNotCoverTheNamedDesignsIsLeftOut) {
  const std::vector<double> all = given({{40e6, 90}, {1e6, 10}, {3e6, 20}}, 100, 1000);
  EXPECT_EQ(all[0], 0) << "the others take 30 of 100";
  EXPECT_NEAR(sum(all, 3), 100, 1e-6) << "all the time is theirs";
  const SearchShare share = share_of_first({{40e6, 90}, {1e6, 10}, {3e6, 20}}, 100, 1000);
  EXPECT_NEAR(share.seconds, 70, 1e-9) << "this much there was for it";
  const std::vector<double> equal = given(std::vector<PlannedSearch>(10, {1e6, 2}), 5, 20);
  EXPECT_GT(equal[0], 2);
  EXPECT_GT(equal[1], 2);
  EXPECT_EQ(sum(equal, 10), equal[0] + equal[1]) << "two fit";
}

TEST(SuiteShares, NoneIsMoreThanIsOfUse) {
  EXPECT_EQ(share_of_first({{1e6, 2}}, 500, 20).seconds, 20);
  EXPECT_EQ(share_of_first({{1e6, 30}}, 500, 20).seconds, 30) << "its named designs";
}

TEST(SuiteShares, ADesignTakesWhatOthersOfItsSizeTook) {
  DesignSeconds seconds;
  EXPECT_NEAR(seconds.of(1e6), 0.1, 1e-9);
  EXPECT_NEAR(seconds.of(41e6) / seconds.of(1e6), 21, 1e-9) << "by the non-zeros";
  seconds.learn(1e6, 0.4);
  EXPECT_NEAR(seconds.of(41e6), 0.4 * 21, 1e-9);
  EXPECT_NEAR(seconds.of(0.5e6), 0.2, 1e-9) << "less than by the weights: 0.3";
  EXPECT_NEAR(seconds.of(2e3), 0.05, 1e-3) << "no less than before any search";
  seconds.learn(41e6, 3);
  EXPECT_NEAR(seconds.of(41e6), 3, 1e-9);
  EXPECT_NEAR(seconds.of(3e6), 0.8, 1e-9) << "the small one is nearer";
  seconds.learn(1e6, 0.2);
  EXPECT_NEAR(seconds.of(1e6), 0.2, 1e-9) << "the last tells";
  seconds.learn(1e6, 0);
  EXPECT_NEAR(seconds.of(1e6), 0.2, 1e-9) << "nothing was tried";
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
      run_suite(plan_of({{"none", true, none, 3}, {"small", false, small, 3}}, 6), *device, go_on,
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

TEST(Suite, WhatItHasNoTimeForIsLeftOutUnmade) {
  const auto never = []() -> Matrix { throw std::bad_alloc(); };
  const auto device = open_device("emulated:h200");
  const SuiteReport report =
      run_suite(plan_of({{"huge", true, never, 1e10}, {"small", false, small, 3}}, 20), *device,
                go_on, [](const SuiteReport&) {});
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows.front().matrix, "small");
  ASSERT_EQ(report.left_out.size(), 1U);
  EXPECT_EQ(report.left_out.front().matrix, "huge");
  EXPECT_NE(report.left_out.front().reason.find(" named designs, some "), std::string::npos)
      << report.left_out.front().reason;
  EXPECT_EQ(report.planned, 2);
  EXPECT_NE(suite_text(report).find("left out twin f32 warm: huge: its share of the time, "),
            std::string::npos)
      << suite_text(report);
  EXPECT_NE(suite_json(report).find("\"left_out\""), std::string::npos);
}

TEST(Suite, TheFirstTypeAndRegimeComeFirst) {
  SuitePlan plan = plan_of({{"a", false, small, 3}, {"b", false, small, 3}}, 600);
  plan.dtypes = {Dtype::f32, Dtype::f64};
  plan.seconds_each = 0.1;
  const auto device = open_device("emulated:h200");
  const SuiteReport report = run_suite(plan, *device, go_on, [](const SuiteReport&) {});
  ASSERT_EQ(report.rows.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(report.rows[i].dtype, i < 2 ? Dtype::f32 : Dtype::f64) << i;
}

TEST(Suite, AnInterruptLeavesOutTheRest) {
  const std::atomic<bool> stop = true;
  const auto device = open_device("emulated:h200");
  const SuiteReport report = run_suite(plan_of({{"small", false, small, 3}}, 20), *device, stop,
                                       [](const SuiteReport&) {});
  EXPECT_TRUE(report.rows.empty());
  ASSERT_EQ(report.left_out.size(), 1U);
  EXPECT_EQ(report.left_out.front().reason, "the suite was interrupted");
}

/// A row that is that far ahead of the best of so many of the vendor's algorithms.
SuiteRow row_of(double ahead, std::size_t algorithms) {
  SuiteRow row;
  row.matrix = "m";
  row.result.device.kind = TimeKind::measured;
  row.result.winner = row.result.any_values = timed("ours", 10);
  row.result.csr_bytes = 100;
  for (const Baseline& algorithm : baselines(Target::gpu)) {
    if (row.result.baseline_outcomes.size() == algorithms) break;
    const std::string name(algorithm.name);
    row.result.baseline_outcomes.emplace(name, timed(name, 10 * ahead));
  }
  row.result.vendor = row.result.baseline_outcomes.begin()->second;
  return row;
}

TEST(Suite, MeansAreBesideAllOfTheVendorsAlgorithms) {
  SuiteReport report;
  report.device.kind = TimeKind::measured;
  const std::size_t all = baselines(Target::gpu).size();
  report.rows = {row_of(2, all), row_of(50, 1), row_of(0.5, all - 1)};
  const std::vector<SuiteGroup> groups = report.groups();
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].searched, 3);
  EXPECT_EQ(groups[0].partial, 2);
  for (const SuiteGroup::Lead& lead : {groups[0].any_values, groups[0].these_values}) {
    EXPECT_EQ(lead.compared, 1);
    EXPECT_NEAR(*lead.mean.value(), 2, 1e-9);
    EXPECT_NEAR(lead.least, 2, 1e-9);
    EXPECT_EQ(lead.losses, 1) << "behind some of them it is behind all";
  }
  const std::string text = suite_text(report);
  for (const std::size_t tried : {all, std::size_t{1}, all - 1}) {
    const std::string part = fmt::format(" {} of {} ", tried, all);
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
  EXPECT_NE(text.find("2 in no mean: not all of the vendor's algorithms were tried"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace alphasparse
