// ctest label: emulator
// sampled_search_test: a fixed number of trials is divided between the sample of a large matrix and
// the matrix itself.
#include "search/sampled_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "search/estimates/prior.h"
#include "search/problem.h"
#include "search/strategies/row_orders.h"
#include "search/tune.h"
#include "tests/support/files.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

/// A band. Of so many rows it has a little more than a million entries: the least that is sampled.
Matrix long_band(std::int32_t rows = 62'600) {
  Matrix matrix;
  matrix.rows = matrix.cols = rows;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t k = 0; k < 17; ++k) {
      const std::int32_t col = row + 3 * k - 20;
      if (col >= 0 && col < matrix.cols) matrix.col.push_back(col);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  return matrix;
}

/// A grid of planes that are far apart. Its diagonals are full.
Matrix far_diagonals() {
  Matrix matrix;
  matrix.rows = matrix.cols = 80'000;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (const std::int32_t plane : {-20'000, -150, 0, 150, 20'000}) {
      for (std::int32_t col = row + plane - 1; col <= row + plane + 1; ++col) {
        if (col >= 0 && col < matrix.cols) matrix.col.push_back(col);
      }
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  return matrix;
}

struct SampledTrials : testing::Test {
  TuneResult search(std::int64_t trials) { return search(trials, matrix); }

  TuneResult search(std::int64_t trials, const Matrix& of) {
    TuneOptions options;
    options.effort = {3600, trials, 0};
    return tune(of, *device, &database, options, {}, stop);
  }

  const Matrix matrix = long_band();
  const std::unique_ptr<Device> device = open_device("emulated:h200");
  TestFolder folder;
  Database database = Database::open((folder / "t.db").string());
  const std::atomic<bool> stop = false;
};

TEST_F(SampledTrials, AreDividedAndNotSpentTwice) {
  const TuneResult first = search(8);
  ASSERT_EQ(first.samples.size(), 1u);
  EXPECT_EQ(first.samples[0].trials, 6);
  EXPECT_EQ(first.trials_now, 2);
  ASSERT_TRUE(first.winner);
  EXPECT_TRUE(first.winner->verified);
  EXPECT_TRUE(first.outcomes.contains(first.samples[0].best.front()));

  const TuneResult same = search(8);
  EXPECT_EQ(same.tier, Tier::exact);
  const TuneResult more = search(16);
  ASSERT_EQ(more.samples.size(), 1u);
  EXPECT_EQ(more.samples[0].trials, 12) << "six of them are the first call's";
  EXPECT_EQ(more.trials, 4) << "and two of these";
  EXPECT_LE(more.winner->timing->time_us, first.winner->timing->time_us);
  for (const auto& [design, outcome] : more.outcomes) EXPECT_FALSE(outcome.counted) << design;
}

/// By sampled and by expected times. The latter is far behind on the sample, so the order of the
/// sample's times alone would not reach it.
TEST_F(SampledTrials, BeginWithTheBestNamedDesignsOnTheWhole) {
  const TuneResult result = search(12);
  EXPECT_EQ(result.trials_now, 3);
  const Designs named = canonical_named_designs(Target::gpu);
  const std::vector<std::string> order = result.samples.at(0).best;
  const auto best_named = std::find_if(order.begin(), order.end(), [&](const std::string& text) {
    return std::find(named.begin(), named.end(), text) != named.end();
  });
  ASSERT_NE(best_named, order.end());
  EXPECT_TRUE(result.outcomes.contains(*best_named));
  const auto expected = expected_times(matrix, named, {device->info(), Dtype::f32}, {});
  const auto best =
      std::min_element(expected.begin(), expected.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  ASSERT_TRUE(std::find(order.begin(), order.begin() + 3, best->first.text()) == order.begin() + 3);
  EXPECT_TRUE(result.outcomes.contains(best->first.text()));
}

/// A sample has no neighbours of its rows, so it cannot tell.
TEST_F(SampledTrials, BringRowsTogetherThatWereParted) {
  const TuneResult result = search(40, shuffled(matrix, Shuffled::rows_and_columns));
  ASSERT_EQ(result.samples.size(), 1u);
  ASSERT_TRUE(result.winner && result.pfs);
  EXPECT_TRUE(result.winner->design.starts_with("reorder by=rcm")) << result.winner->design;
  EXPECT_LT(result.winner->timing->time_us, 0.8 * result.pfs->timing->time_us);
}

/// Neither the sample nor the prior has a time of them, for both break diagonals.
TEST_F(SampledTrials, HaveFullDiagonalsAmongTheLeaders) {
  TuneOptions options;
  options.effort = {3600, 12, 0};
  const ProgressCallback progress;
  const auto leads = [&](const Matrix& of) {
    Budget budget(options.effort);
    SearchRun whole({of, nullptr, options, progress, stop,
                     make_problem(of, fingerprints(of), device->info(), options)},
                    *device, budget);
    const auto [designs, leaders] = search_samples(whole, *device);
    return std::any_of(
        designs.begin(), designs.begin() + static_cast<std::ptrdiff_t>(leaders),
        [](const CanonicalDesign& design) { return design.text() == resolve_design("dia"); });
  };
  const Matrix full = far_diagonals();
  EXPECT_TRUE(leads(full));
  EXPECT_FALSE(leads(shuffled(full, Shuffled::rows_and_columns)));
}

/// No store is kept there, so each design would order the rows anew before all near named ones.
TEST_F(SampledTrials, HaveOneDesignAnOrderAmongTheLeadersOfALargeMatrix) {
  const Matrix parted = shuffled(long_band(900'000), Shuffled::rows_and_columns);
  ASSERT_EQ(Designer::kept_bytes(parted), 0);
  TuneOptions options;
  options.effort = {3600, 12, 0};
  const ProgressCallback progress;
  Budget budget(options.effort);
  SearchRun whole({parted, nullptr, options, progress, stop,
                   make_problem(parted, fingerprints(parted), device->info(), options)},
                  *device, budget);
  const auto [designs, leaders] = search_samples(whole, *device);
  const auto reordered = [](const CanonicalDesign& design) {
    return design.text().starts_with("reorder by=rcm");
  };
  const auto behind = designs.begin() + static_cast<std::ptrdiff_t>(leaders);
  EXPECT_EQ(std::count_if(designs.begin(), behind, reordered), 1);
  EXPECT_EQ(std::count_if(behind, designs.end(), reordered), 2);
  ASSERT_NE(behind, designs.end());
  EXPECT_TRUE(reordered(*(behind - 1)));
  EXPECT_FALSE(reordered(*behind)) << "the others come by turns with the named ones";
}

/// A matrix that is tried whole at once has nothing in front of its named designs. A search that
/// was told to stop has no time on a sample.
TEST_F(SampledTrials, PutNoOtherDesignsAmongTheNamedWithoutATimeOnASample) {
  const Designs named = canonical_named_designs(Target::gpu);
  const auto put = [&](const Matrix& of, bool stops) {
    const Matrix parted = shuffled(of, Shuffled::rows_and_columns);
    EXPECT_EQ(promising_orders(parted), RowOrders{"rcm"});
    TuneOptions options;
    const std::atomic<bool> told = stops;
    const ProgressCallback progress;
    Budget budget(options.effort);
    SearchRun whole({parted, nullptr, options, progress, told,
                     make_problem(parted, fingerprints(parted), device->info(), options)},
                    *device, budget);
    const DesignsForWhole found = search_samples(whole, *device);
    EXPECT_EQ(found.leaders, 0u);
    EXPECT_EQ(found.designs, named);
  };
  put(long_band(30'000), false);
  put(matrix, true);
}

/// The sample has 18, a dozen of them for designs that are expected to be fast.
TEST_F(SampledTrials, AreNotAllForKnownDesignsWhereTheyAreFew) {
  const TuneResult few = search(24);
  ASSERT_EQ(few.samples.size(), 1u);
  const auto others = std::count_if(few.origins.begin(), few.origins.end(), [](const auto& entry) {
    return entry.second == "compact" || entry.second == "grid" || entry.second == "structure";
  });
  EXPECT_GE(others, 3);
}

TEST_F(SampledTrials, AreTheWholesWhereTheyAreFew) {
  const TuneResult few = search(2);
  EXPECT_TRUE(few.samples.empty());
  EXPECT_EQ(few.trials_now, 2);
}

}  // namespace
}  // namespace alphasparse
