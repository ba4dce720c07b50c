// order_worth: an own order of vectors is held against libraries on the permuted matrix, and
// against the kernels of the given order. ctest label: emulator
#include "search/order_worth.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "runtime/device/baseline_kernels.h"
#include "search/estimates/vector_orders.h"
#include "search/last_comparison.h"
#include "search/problem.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

Measurement timed(const std::string& design, double time_us) {
  Measurement one;
  one.design = design;
  one.verified = true;
  one.timing = Timing{};
  one.timing->time_us = time_us;
  return one;
}

TEST(OrderWorth, PaysAfterThePermutationsOverTheGainOrNever) {
  OrderWorth worth;
  const Measurement winner = timed("permute by=rcm | a", 10);
  EXPECT_FALSE(worth.products_to_pay(winner));
  worth.permutations_us = 60;
  EXPECT_FALSE(worth.products_to_pay(winner));
  worth.given = timed("a", 13);
  EXPECT_EQ(worth.products_to_pay(winner), 20);
  worth.given = timed("a", 10);
  EXPECT_FALSE(worth.products_to_pay(winner));
}

TEST(OrderWorth, TheBestOfTheGivenOrderStandsBesideAnOwnOneAlone) {
  Outcomes outcomes;
  for (const Measurement& one : {timed("a", 13), timed("b", 12), timed("permute by=rcm | a", 10)})
    outcomes[one.design] = one;
  EXPECT_EQ(best_in_given_order(outcomes)->design, "b");
  outcomes["b"].timing->time_us = 9;
  EXPECT_EQ(best_in_given_order(outcomes), nullptr);
}

/// A ring whose neighbours are far apart.
Matrix parted_ring() {
  constexpr int rows = 4096;
  std::vector<std::vector<int>> columns;
  for (int row = 0; row < rows; ++row) columns.push_back({row, (row + 1) % rows});
  for (auto& row : columns) std::sort(row.begin(), row.end());
  return shuffled(pattern(rows, columns), Shuffled::rows_and_columns);
}

TEST(OrderWorth, LibrariesMeetThePermutedMatrix) {
  const Matrix matrix = parted_ring();
  const auto device = open_device("cpu:1");
  TuneOptions options;
  options.own_order = true;
  options.effort.seconds = 2;
  const std::atomic<bool> stop = false;
  const ProgressCallback progress = [](const Progress&) {};
  Budget budget(options.effort, Budget::Times::measured);
  SearchRun search({matrix, nullptr, options, progress, stop,
                    make_problem(matrix, fingerprints(matrix), device->info(), options)},
                   *device, budget);
  LastComparison comparison(search);
  const std::string given =
      "compress | thread_rows rows=1 | thread_total | global_store | launch "
      "tasks=bytes";
  for (const Measurement& one : {timed(given, 13), timed("permute by=rcm | " + given, 10)}) {
    search.result.outcomes[one.design] = one;
    search.result.outcomes[one.design].trial_us = 2e7;
    search.designs.add(CanonicalDesign::read(one.design).value());
  }
  weigh_order(search, comparison, *device);
  ASSERT_TRUE(search.result.order_worth);
  EXPECT_FALSE(search.result.order_worth->vendor);  // none was timed
  const std::string library(baselines(Target::cpu).front().name);
  search.result.baseline_outcomes[library] = timed(library, 20);
  weigh_order(search, comparison, *device);
  const OrderWorth& worth = *search.result.order_worth;
  ASSERT_TRUE(worth.vendor);
  EXPECT_EQ(worth.vendor->design, library);
  EXPECT_GT(worth.vendor->timing->rounds, 0);
  EXPECT_EQ(worth.in_turn->rounds, worth.vendor->timing->rounds);
  EXPECT_EQ(worth.given->design, given);
  EXPECT_GT(worth.permutations_us, 0);
}

TEST(VectorOrders, AreThoseInWhichTilesTouchFewerLinesOfX) {
  const std::vector<VectorOrder> orders = vector_orders(parted_ring(), Dtype::f64, 60, {});
  ASSERT_EQ(orders.size(), 5U);
  EXPECT_EQ(orders.front().rejection, "");
  EXPECT_LT(orders.front().lines_ratio, 0.3);
  std::map<std::string, std::string> why_not;
  for (const VectorOrder& order : orders) why_not[order.by] = order.rejection;
  EXPECT_EQ(why_not["rcm"], "");
  EXPECT_EQ(why_not["dissection"], "");
  EXPECT_EQ(why_not["degree"], "tiles touch no fewer lines of x in it");
  EXPECT_NE(why_not["levels"].find("no triangle"), std::string::npos);
}

TEST(VectorOrders, ThatTakeTooLongAreNotTried) {
  for (const VectorOrder& order : vector_orders(parted_ring(), Dtype::f64, 0, {}))
    EXPECT_NE(order.rejection.find("was not found in its share"), std::string::npos) << order.by;
}

}  // namespace
}  // namespace alphasparse
