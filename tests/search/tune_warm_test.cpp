// ctest label: emulator
// tune_warm_test: the rows that one search leaves in the database, and that the next ones begin
// with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "base/version.h"
#include "runtime/system/sqlite.h"
#include "search/strategies/warm_start.h"
#include "search/tune.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

using Names = std::vector<std::string>;

/// A band of three diagonals.
Matrix band(std::int32_t size) {
  Matrix matrix;
  matrix.rows = matrix.cols = size;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < size; ++row) {
    for (std::int32_t col = std::max(0, row - 1); col <= std::min(size - 1, row + 1); ++col) {
      matrix.col.push_back(col);
      matrix.value.push_back(row - col + 2);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  return matrix;
}

struct TuneWarm : ::testing::Test {
  TestFolder folder;
  const std::string path = (folder / "t.db").string();
  Database database = Database::open(path);
  const std::unique_ptr<Device> device = open_device("emulated:h200");

  TuneResult run(const Matrix& matrix, std::int64_t trials, const std::string& name,
                 bool fresh = false, Dtype dtype = Dtype::f32, bool stopped = false) {
    TuneOptions options;
    options.effort = {600, trials, 0};
    options.matrix_name = name;
    options.fresh = fresh;
    options.dtype = dtype;
    const std::atomic<bool> stop = stopped;
    return tune(matrix, *device, &database, options, {}, stop);
  }

  std::int64_t rows(const char* table) {
    return Sqlite(path).integer(std::string("SELECT count(*) FROM ") + table);
  }
};

TEST_F(TuneWarm, ASearchThatIsStoppedBeforeItGoesOnIsNotComplete) {
  const Matrix matrix = band(60);
  run(matrix, 3, "a");
  const TuneResult stopped = run(matrix, 6, "a", false, Dtype::f32, true);
  EXPECT_TRUE(stopped.interrupted);
  ASSERT_TRUE(stopped.winner) << "of the earlier run";
  const TuneResult next = run(matrix, 6, "a");
  EXPECT_EQ(next.tier, Tier::resumed);
  EXPECT_EQ(next.trials_now, 3);
}

TEST_F(TuneWarm, ASimilarMatrixBeginsWithWhatWasFastOnTheFirst) {
  const TuneResult first = run(band(60), 3, "first");
  EXPECT_EQ(first.tier, Tier::none);
  EXPECT_TRUE(first.warm_matrices.empty());
  ASSERT_TRUE(first.winner);
  EXPECT_GT(first.winner->trial_us, 0);
  EXPECT_EQ(rows("matrix_features"), 1);

  const Matrix similar = band(64);
  Problem problem;
  problem.matrix = fingerprints(similar);
  problem.device = device->info();
  problem.options = "values=fixed";
  problem.generator_version = generator_version;
  const Names seeds =
      list_texts(warm_start(database, problem, compute_features(similar)).only_designs());
  ASSERT_FALSE(seeds.empty());
  EXPECT_EQ(seeds.front(), first.winner->design);

  const TuneResult second = run(similar, 12, "second");
  EXPECT_EQ(second.tier, Tier::nearest);
  EXPECT_EQ(second.warm_matrices, (Names{"first"}));
  for (const std::string& seed : seeds) {
    EXPECT_TRUE(second.outcomes.contains(seed));
    EXPECT_EQ(second.origins.at(seed), "warm");
  }
  ASSERT_FALSE(second.strategies.empty());
  EXPECT_EQ(second.strategies.front().name, "warm");

  const TuneResult fresh = run(band(68), 1, "third", true);
  EXPECT_EQ(fresh.tier, Tier::none);
  EXPECT_TRUE(fresh.warm_matrices.empty());
  EXPECT_EQ(rows("matrix_features"), 3) << "kept for others all the same";

  const TuneResult elsewhere = run(similar, 1, "second", false, Dtype::f64);
  EXPECT_EQ(elsewhere.tier, Tier::elsewhere);
  EXPECT_EQ(elsewhere.warm_matrices.front(), "second");
  EXPECT_EQ(database.complaints({}), Names());
}

TEST_F(TuneWarm, ALongerSearchGoesOnBesideDamagedRows) {
  const Matrix matrix = band(60);
  const TuneResult first = run(matrix, 40, "first");
  Sqlite(path).run("UPDATE matrix_features SET numbers = x'64616d61676564'");
  const TuneResult more = run(matrix, 44, "first");
  EXPECT_EQ(more.tier, Tier::resumed);
  EXPECT_FALSE(more.broken);
  EXPECT_GT(more.outcomes.size(), first.outcomes.size());
  const TuneResult second = run(band(64), 1, "second");
  EXPECT_EQ(second.tier, Tier::none) << "features that cannot be read are none";
}

}  // namespace
}  // namespace alphasparse
