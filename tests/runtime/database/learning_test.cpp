// learning_test: features of matrices and models of times come back, and leave with their
// problems; features travel, models stay.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "runtime/database/database.h"
#include "runtime/system/sqlite.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

Problem problem_of(const std::string& name = "m", Dtype dtype = Dtype::f32) {
  Problem problem;
  problem.matrix = {"pattern of " + name, "values"};
  problem.matrix_name = name;
  problem.device = {"", "h200", TimeKind::modelled, "1", "sm_90"};
  problem.dtype = dtype;
  problem.options = "values=fixed";
  problem.generator_version = "0.1.0";
  return problem;
}

struct DatabaseLearning : ::testing::Test {
  TestFolder folder;
  const std::string path = (folder / "t.db").string();
  Database database = Database::open(path);

  std::string begin(const Problem& problem) {
    Measurement measurement;
    measurement.design = "d";
    measurement.verified = true;
    const std::string run = database.begin_run(problem, {60, 0, 0});
    database.record(run, measurement);
    database.finish(run, RunState::complete, 1, 1);
    return run;
  }

  std::int64_t rows(const char* table) {
    return Sqlite(path).integer(fmt::format("SELECT count(*) FROM {}", table));
  }
};

TEST_F(DatabaseLearning, FeaturesComeBackBitByBit) {
  begin(problem_of());
  const Fingerprints matrix = problem_of().matrix;
  EXPECT_FALSE(database.features(matrix, 1));
  const StoredFeatures stored{1,
                              {{"rows", 3}, {"mean", 0.1 + 0.2}, {"tiny", 5e-324}, {"nnz", 1e300}}};
  database.keep_features(matrix, stored);
  const auto read = database.features(matrix, 1);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->numbers, stored.numbers);
  EXPECT_EQ(read->version, 1);
  EXPECT_FALSE(database.features(matrix, 2)) << "of another meaning";
  database.keep_features(matrix, {1, {{"rows", 4}}});
  EXPECT_EQ(rows("matrix_features"), 1) << "once a version";
  database.keep_features(matrix, {2, {{"rows", 4}}});
  EXPECT_EQ(database.features(matrix, 2)->numbers.size(), 1U);
  EXPECT_EQ(database.complaints({}), std::vector<std::string>());
}

TEST_F(DatabaseLearning, FeaturesNeedTheirMatrix) {
  EXPECT_THROW(database.keep_features({"no", "such"}, {1, {{"rows", 3}}}), Error);
}

TEST_F(DatabaseLearning, ProblemsComeWithFeaturesOfTheVersionAskedFor) {
  begin(problem_of("a"));
  begin(problem_of("a", Dtype::f64));
  begin(problem_of("b"));
  database.keep_features(problem_of("a").matrix, {1, {{"rows", 3}}});
  database.keep_features(problem_of("b").matrix, {2, {{"rows", 5}}});
  int with = 0;
  const auto learned = database.learned_problems(1);
  EXPECT_EQ(learned.size(), 3U);
  for (const LearnedProblem& one : learned) {
    with += one.features.has_value();
    EXPECT_EQ(one.features.has_value(), one.problem.matrix_name == "a");
    EXPECT_EQ(database.outcomes_of(one.key).size(), 1U);
    EXPECT_EQ(one.problem.device.gpu, "h200");
  }
  EXPECT_EQ(with, 2);
}

TEST_F(DatabaseLearning, DamageIsFoundAndNotRead) {
  begin(problem_of());
  database.keep_features(problem_of().matrix, {1, {{"rows", 3}}});
  for (const char* text : {"", "{\"rows\": \"3\"}", "[3]", "{\"rows\": 1e999}", "{\"rows\": 3"}) {
    Sqlite(path).run("UPDATE matrix_features SET numbers = ?1", std::string_view(text));
    EXPECT_FALSE(database.features(problem_of().matrix, 1)) << text;
    EXPECT_FALSE(database.learned_problems(1).at(0).features) << text;
    EXPECT_EQ(database.complaints({}).size(), 2U) << text << ": no numbers, and another key";
  }
}

TEST_F(DatabaseLearning, FeaturesTravel) {
  begin(problem_of());
  database.keep_features(problem_of().matrix, {1, {{"mean", 0.1 + 0.2}}});
  const std::string text = database.export_json();
  Database merged = Database::open((folder / "merged.db").string());
  merged.merge(database);
  EXPECT_EQ(merged.export_json(), text);
  Database document = Database::of_json(text, "document");
  EXPECT_EQ(document.export_json(), text);
  for (Database* const each : {&merged, &document}) {
    EXPECT_EQ(each->features(problem_of().matrix, 1)->numbers[0].second, 0.1 + 0.2);
    EXPECT_EQ(each->complaints({}), std::vector<std::string>());
  }
  std::string foreign = text;
  foreign.replace(foreign.find("\"matrix_features\""), 17, "\"model\"");
  EXPECT_THROW(Database::of_json(foreign, "document"), Error);
}

TEST_F(DatabaseLearning, TheyLeaveWithTheirProblem) {
  begin(problem_of("a"));
  begin(problem_of("a", Dtype::f64));
  begin(problem_of("b"));
  for (const char* name : {"a", "b"})
    database.keep_features(problem_of(name).matrix, {1, {{"rows", 3}}});
  PruneCriteria criteria;
  criteria.matrix = "a";
  EXPECT_EQ(database.prune(criteria, false).size(), 2U);
  EXPECT_FALSE(database.features(problem_of("a").matrix, 1));
  EXPECT_TRUE(database.features(problem_of("b").matrix, 1));
  EXPECT_EQ(rows("matrix_features"), 1);
  EXPECT_EQ(database.complaints({}), std::vector<std::string>());
}

}  // namespace
}  // namespace alphasparse
