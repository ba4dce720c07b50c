// surrogate_test: the model of times learns from made-up ones, refuses some, and is the same
// whenever it is trained.
#include "search/learning/surrogate.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

#include "operators/named_designs.h"
#include "search/learning/design_features.h"
#include "search/learning/rank.h"
#include "search/strategies/grid_moves.h"
#include "tests/support/landscape.h"

namespace alphasparse {
namespace {

const FeatureSet& feature_set() {
  static const FeatureSet set{design_feature_names(), design_features_version};
  return set;
}

/// Rows of designs drawn from the landscape, failures among them.
std::vector<TrainingRow> landscape_rows(std::size_t count, std::uint64_t seed) {
  const Matrix matrix = landscape_matrix();
  const DesignFeatures features(compute_features(matrix), 1000);
  Outcomes starts;
  for (const std::string& line : landscape_structures()) starts[line] = landscape_measurement(line);
  KnownDesigns known;
  const GridBases bases = grid_bases(starts, known, row_facts(matrix.row_first), 0, 2);
  Random random(seed);
  std::vector<TrainingRow> rows;
  while (rows.size() < count) {
    const CanonicalDesign design = all_drawn(random.one_of(bases.structures), random);
    const Measurement outcome = landscape_measurement(design.text());
    rows.push_back({*features.of(design.tree()), {}, 0, 1});
    if (outcome.timing) rows.back().time_us = outcome.timing->time_us;
  }
  return rows;
}

Surrogate trained(const std::vector<TrainingRow>& rows, const SurrogateOptions& options = {}) {
  Result<Surrogate> model = Surrogate::train(feature_set(), rows, options);
  EXPECT_TRUE(model.ok()) << (model ? "" : model.reason());
  return std::move(*model);
}

std::vector<Prediction> predicted(const Surrogate& model, const std::vector<TrainingRow>& rows) {
  std::vector<std::vector<float>> features;
  for (const TrainingRow& row : rows) features.push_back(row.features);
  const Result<std::vector<Prediction>> predictions = model.predict(features);
  EXPECT_TRUE(predictions.ok());
  return *predictions;
}

/// The rows that have a time.
std::vector<TrainingRow> timed_rows(std::vector<TrainingRow> rows) {
  std::erase_if(rows, [](const TrainingRow& row) { return !row.time_us; });
  return rows;
}

double rank_agreement(const Surrogate& model, const std::vector<TrainingRow>& rows) {
  std::vector<double> times;
  for (const TrainingRow& row : rows) times.push_back(*row.time_us);
  return rank_agreement(predicted(model, rows), times).value_or(0);
}

TEST(Surrogate, RanksWhatItHasNotSeen) {
  const Surrogate model = trained(landscape_rows(400, 1));
  EXPECT_GT(rank_agreement(model, timed_rows(landscape_rows(300, 2))), 0.8);
}

TEST(Surrogate, TheClassifierFindsTheFastestTenth) {
  const Surrogate model = trained(landscape_rows(400, 1));
  const std::vector<TrainingRow> rows = timed_rows(landscape_rows(300, 2));
  const std::vector<Prediction> predictions = predicted(model, rows);
  std::vector<double> times;
  for (const TrainingRow& row : rows) times.push_back(*row.time_us);
  const std::vector<double> rank = ranks(times);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return predictions[a].top_chance > predictions[b].top_chance;
  });
  const std::size_t tenth = rows.size() / 10;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < tenth; ++i) {
    hits += rank[order[i]] <= static_cast<double>(tenth);
    EXPECT_GE(predictions[order[i]].top_chance, 0);
    EXPECT_LE(predictions[order[i]].top_chance, 1);
  }
  EXPECT_GT(hits, tenth * 4 / 10) << "chance finds a tenth of them";
}

TEST(Surrogate, TheClassifierLearnsFailures) {
  std::vector<TrainingRow> rows;
  for (int i = 0; i < 200; ++i) {
    const int slowness = i / 2;
    const bool fails = i % 2 == 1;
    rows.push_back({{static_cast<float>(slowness), static_cast<float>(fails)}, {}, 0, 1});
    if (!fails) rows.back().time_us = std::exp2(slowness / 10.0);
  }
  const Result<Surrogate> model = Surrogate::train({{"slowness", "fails"}, 1}, rows);
  ASSERT_TRUE(model.ok());
  const std::vector<std::vector<float>> asked = {{3, 0}, {3, 1}, {60, 0}};
  const std::vector<Prediction> chances = *model->predict(asked);
  EXPECT_GT(chances[0].top_chance, 0.8);
  EXPECT_LT(chances[1].top_chance, 0.2);
  EXPECT_LT(chances[2].top_chance, 0.2);
}

TEST(Surrogate, ShuffledTimesTeachNothing) {
  std::vector<TrainingRow> rows = timed_rows(landscape_rows(400, 1));
  std::vector<double> times;
  for (const TrainingRow& row : rows) times.push_back(*row.time_us);
  Random(5).shuffle(times);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].time_us = times[i];
  EXPECT_LT(std::abs(rank_agreement(trained(rows), timed_rows(landscape_rows(300, 2)))), 0.25);
}

TEST(Surrogate, ProblemsAreComparedWithinThemselves) {
  std::vector<TrainingRow> rows = landscape_rows(300, 1);
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    rows[i].problem = 1;
    if (rows[i].time_us) *rows[i].time_us *= 1000;
  }
  EXPECT_GT(rank_agreement(trained(rows), timed_rows(landscape_rows(300, 2))), 0.8);
}

TEST(Surrogate, WeightsDecideBetweenRowsThatDisagree) {
  const std::vector<std::string> names = {"x"};
  for (const double weight_of_rising : {0.01, 100.0}) {
    std::vector<TrainingRow> rows;
    for (int x = 0; x < 40; ++x) {
      rows.push_back({{static_cast<float>(x)}, std::exp2(x / 10.0), 1, weight_of_rising});
      rows.push_back({{static_cast<float>(x)}, std::exp2((40 - x) / 10.0), 2, 1});
    }
    const Result<Surrogate> model = Surrogate::train({names, 1}, rows);
    ASSERT_TRUE(model.ok());
    const std::vector<std::vector<float>> ends = {{2}, {37}};
    const std::vector<Prediction> at = *model->predict(ends);
    EXPECT_EQ(at[0].log2_slowdown<at[1].log2_slowdown, weight_of_rising> 1);
  }
}

TEST(Surrogate, TheSameRowsGiveTheSameModel) {
  const std::vector<TrainingRow> rows = landscape_rows(200, 1);
  const std::string first = *trained(rows).key();
  EXPECT_EQ(first, *trained(rows).key());
  EXPECT_NE(first, *trained(landscape_rows(200, 3)).key());
}

TEST(Surrogate, XGBoostsComplaintIsOneLine) {
  SurrogateOptions options;
  options.depth_max = -3;
  const Result<Surrogate> model = Surrogate::train(feature_set(), landscape_rows(50, 1), options);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.reason().find("XGBoost, "), 0u) << model.reason();
  EXPECT_EQ(model.reason().find('\n'), std::string::npos);
  EXPECT_NE(model.reason().find("max_depth"), std::string::npos) << model.reason();
}

TEST(Surrogate, TooFewTimesAreRefused) {
  const std::vector<TrainingRow> rows = {{{1}, 3.0, 0, 1}, {{2}, {}, 0, 1}};
  const Result<Surrogate> model = Surrogate::train({{"x"}, 1}, rows);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.reason(), "a model of times needs two of them at least");
}

std::size_t thread_count() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
}

TEST(Surrogate, StartsNoThreadAndSurvivesAFork) {
  const std::vector<TrainingRow> rows = landscape_rows(200, 1);
  const std::size_t threads = thread_count();
  const std::string key = *trained(rows).key();
  EXPECT_EQ(thread_count(), threads);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);
    _exit(*trained(rows).key() == key && thread_count() == 1 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(Surrogate, AThousandRowsAreTrainedWithinASearch) {
  const std::vector<TrainingRow> rows = landscape_rows(1000, 1);
  const auto start = std::chrono::steady_clock::now();
  const Surrogate model = trained(rows);
  const auto mid = std::chrono::steady_clock::now();
  predicted(model, rows);
  const auto end = std::chrono::steady_clock::now();
  const auto ms = [](auto duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
  };
  printf("1000 rows of %zu features: trained in %.0f ms, predicted in %.0f ms\n",
         feature_set().names.size(), ms(mid - start), ms(end - mid));
  EXPECT_LT(ms(mid - start), 20000);
}

}  // namespace
}  // namespace alphasparse
