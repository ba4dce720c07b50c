// learning_test: features of matrices come back, travel, and leave with their problems; a query for
// them costs as much in a large database as in a small one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/database/database.h"
#include "runtime/system/sqlite.h"
#include "tests/support/files.h"
#include "tests/support/sqlite_work.h"

namespace alphasparse {
namespace {

Problem problem_of(const std::string& name = "m", Dtype dtype = Dtype::f32) {
  Problem problem;
  problem.matrix = {"pattern of " + name, "values"};
  problem.rows = problem.cols = problem.nnz = 3;
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
  EXPECT_EQ(database.features(matrix, 1)->numbers[0].second, 4) << "those of this program";
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
  const auto learned = database.problems_alike(problem_of("c"), {1, {{"rows", 3}}});
  EXPECT_EQ(learned.size(), 3U);
  for (const LearnedProblem& one : learned) {
    with += one.features.has_value();
    EXPECT_EQ(one.features.has_value(), one.problem.matrix_name == "a");
    EXPECT_EQ(database.read_outcomes(one.key).size(), 1U);
    EXPECT_EQ(one.problem.device.gpu, "h200");
  }
  EXPECT_EQ(with, 2);
}

TEST_F(DatabaseLearning, AnArchitectureTellsItsTarget) {
  for (const auto& [arch, target, dialect] : {std::tuple("sm_90", Target::gpu, Dialect::cuda),
                                              {"gfx90a", Target::gpu, Dialect::hip},
                                              {"avx2", Target::cpu, Dialect::cuda}}) {
    Problem problem = problem_of(arch);
    problem.device.arch = arch;
    begin(problem);
    int found = 0;
    for (const LearnedProblem& one : database.problems_alike(problem, {1, {}})) {
      if (one.problem.matrix_name != arch) continue;
      ++found;
      EXPECT_EQ(one.problem.device.target, target) << arch;
      EXPECT_EQ(one.problem.device.dialect, dialect) << arch;
    }
    EXPECT_EQ(found, 1) << arch;
  }
}

TEST_F(DatabaseLearning, DamageIsFoundAndNotRead) {
  begin(problem_of());
  database.keep_features(problem_of().matrix, {1, {{"rows", 3}}});
  for (const std::string& bytes :
       {std::string(), std::string(7, 'a'), std::string(8, '\xff'), std::string(16, 'a')}) {
    Sqlite(path).run("UPDATE matrix_features SET numbers = ?1", Blob{bytes});
    EXPECT_FALSE(database.features(problem_of().matrix, 1)) << bytes.size();
    EXPECT_FALSE(database.read_problems(problem_of().matrix.pattern, 1).at(0).features);
    EXPECT_EQ(database.complaints({}).size(), 2U) << "no numbers, and another key";
  }
}

TEST_F(DatabaseLearning, NamesAndColumnsThatDoNotFitAreFound) {
  begin(problem_of());
  database.keep_features(problem_of().matrix, {1, {{"nnz", 3}}});
  Sqlite(path).run("UPDATE matrix_features SET nnz = 4");
  EXPECT_EQ(database.complaints({}).size(), 1U) << "the column is not the number";
  Database merged = Database::open((folder / "merged.db").string());
  EXPECT_EQ(merged.merge(database).skipped.size(), 1U);
  EXPECT_FALSE(merged.features(problem_of().matrix, 1));
  Sqlite(path).run("UPDATE matrix_features SET nnz = 3");
  Sqlite(path).run("UPDATE feature_names SET names = '[1]'");
  EXPECT_FALSE(database.features(problem_of().matrix, 1));
  EXPECT_EQ(database.complaints({}).size(), 2U) << "a key, and numbers without names";
}

TEST_F(DatabaseLearning, FeaturesTravel) {
  begin(problem_of());
  database.keep_features(problem_of().matrix, {1, {{"mean", 0.1 + 0.2}}});
  const std::string text = database.export_json();
  Database merged = Database::open((folder / "merged.db").string());
  merged.merge(database);
  EXPECT_EQ(merged.export_json(), text);
  Database document = Database::from_json(text, "document");
  EXPECT_EQ(document.export_json(), text);
  for (Database* const each : {&merged, &document}) {
    EXPECT_EQ(each->features(problem_of().matrix, 1)->numbers[0].second, 0.1 + 0.2);
    EXPECT_EQ(each->complaints({}), std::vector<std::string>());
  }
  std::string foreign = text;
  foreign.replace(foreign.find("\"matrix_features\""), 17, "\"model\"");
  EXPECT_THROW(Database::from_json(foreign, "document"), Error);
}

/// The features of the matrix of this number; no two are the same.
StoredFeatures features_number(int number) {
  const double nnz = 1000 + number, mean = 1 + (number * 7919) % 10007;
  return {1, {{"nnz", nnz}, {"row_length_mean", mean}, {"bandwidth", 1 / nnz}}};
}

/// Instructions that each of some questions takes in a database of so many problems.
struct Work {
  std::int64_t alike = 0, list = 0, show = 0, prune = 0;
};

/// The work of queries for the matrix "m7".
Work work_in(const std::string& path, int problems) {
  const SqliteWork work;
  Database database = Database::open(path);
  for (int number = 0; number < problems; ++number) {
    const Problem problem = problem_of(fmt::format("m{}", number));
    Measurement measurement;
    measurement.design = "d";
    measurement.verified = true;
    const std::string run = database.begin_run(problem, {60, 0, 0});
    if (number % 7 == 0) database.record(run, measurement);
    database.keep_features(problem.matrix, features_number(number));
  }
  auto spent = [&, before = work.instructions()]() mutable {
    return work.instructions() - std::exchange(before, work.instructions());
  };
  Work result;
  const auto alike = database.problems_alike(problem_of("other"), features_number(7));
  result.alike = spent();
  EXPECT_TRUE(std::any_of(alike.begin(), alike.end(), [](const LearnedProblem& each) {
    return each.problem.matrix_name == "m7";
  })) << "the nearest of all is among them";
  EXPECT_EQ(database.problems({"m7", "", ""}).size(), 1U);
  EXPECT_EQ(database.problems({"", problem_of("m7").matrix.pattern, ""}).size(), 1U);
  result.list = spent();
  const std::string key = database.problems({"m7", "", ""}).at(0).key;
  EXPECT_EQ(database.problems({"", "", key.substr(0, 12)}).size(), 1U);
  database.history(key);
  result.show = spent();
  PruneCriteria criteria;
  criteria.matrix = "m7";
  EXPECT_EQ(database.prune(criteria, true).size(), 1U);
  EXPECT_EQ(database.prune(criteria, true).at(0).measurements, 1);
  result.prune = spent();
  return result;
}

TEST_F(DatabaseLearning, QuestionsOfOneMatrixCostTheSameInALargeDatabase) {
  const Work small = work_in((folder / "small.db").string(), 1500);
  const Work large = work_in((folder / "large.db").string(), 4500);
  EXPECT_LT(large.alike, 1.3 * static_cast<double>(small.alike));
  EXPECT_LT(large.list, 1.3 * static_cast<double>(small.list) + 1000);
  EXPECT_LT(large.show, 1.3 * static_cast<double>(small.show) + 1000);
  EXPECT_LT(large.prune, 1.3 * static_cast<double>(small.prune) + 1000);
}

TEST_F(DatabaseLearning, AMergeLetsOthersWriteInBetween) {
  Database other = Database::open((folder / "other.db").string());
  const std::string run = other.begin_run(problem_of(), {60, 0, 0});
  Measurement measurement;
  measurement.verified = true;
  constexpr int count = 12'000;
  for (int i = 0; i < count; ++i) {
    measurement.design = fmt::format("d{}", i);
    other.record(run, measurement);
  }
  const SqliteWork work;
  Database merged = Database::open((folder / "merged.db").string());
  const std::int64_t before = work.commits();
  EXPECT_EQ(merged.merge(other).measurements, count);
  EXPECT_GE(work.commits() - before, 3) << "of 24,000 rows";
  EXPECT_EQ(merged.merge(other).measurements, 0);
  EXPECT_EQ(merged.complaints({}), std::vector<std::string>());
}

TEST_F(DatabaseLearning, ABaseIsAskedAndStaysAsItIs) {
  const std::string base = (folder / "base.db").string();
  {
    Database made = Database::open(base);
    Measurement measurement;
    measurement.design = "d";
    measurement.verified = true;
    const std::string run = made.begin_run(problem_of("a"), {60, 0, 0});
    made.record(run, measurement);
    made.finish(run, RunState::complete, 1, 1);
    made.keep_features(problem_of("a").matrix, features_number(1));
  }
  const std::string before = contents(base);
  database.ask_also(Database::open_source(base));
  EXPECT_TRUE(database.outcomes(problem_of("a"), Origin::here).empty());
  EXPECT_EQ(database.outcomes(problem_of("a"), Origin::elsewhere).size(), 1U);
  EXPECT_FALSE(database.is_complete(problem_of("a"), {1, 0, 0}));
  EXPECT_TRUE(database.is_complete(problem_of("a"), {1, 0, 0}, Origin::elsewhere));
  Problem other_values = problem_of("a");
  other_values.matrix.values = "others";
  EXPECT_TRUE(database.same_pattern(other_values, {1, 0, 0}));
  const auto alike = database.problems_alike(problem_of("b"), features_number(1));
  ASSERT_EQ(alike.size(), 1U);
  EXPECT_EQ(database.read_outcomes(alike[0].key).size(), 1U);
  EXPECT_EQ(rows("problem"), 0) << "nothing was copied";
  EXPECT_EQ(contents(base), before);
}

TEST_F(DatabaseLearning, ADocumentGoesByInRowsWhateverTheOrderOfItsTables) {
  for (int number = 0; number < 300; ++number) {
    begin(problem_of(fmt::format("m{}", number)));
    database.keep_features(problem_of(fmt::format("m{}", number)).matrix, features_number(number));
  }
  std::size_t largest = 0, all = 0;
  database.export_json([&](std::string_view part) {
    largest = std::max(largest, part.size());
    all += part.size();
  });
  EXPECT_GT(all, 300'000U);
  EXPECT_LT(largest, 1000U) << "a row";
  const std::string text = database.export_json();
  EXPECT_EQ(text.size(), all);
  // Sorted by name, as some tools write objects: children come before their parents.
  const std::string sorted = nlohmann::json::parse(text).dump();
  EXPECT_LT(sorted.find("\"measurement\""), sorted.find("\"run\""));
  EXPECT_EQ(Database::from_json(sorted, "document").export_json(), text);
  for (const char* const wrong : {"", "7", "[]", "[{\"format\": 1}]", "{\"tables\": {}}", "{"})
    EXPECT_THROW(Database::from_json(std::string(wrong), "document"), Error) << wrong;
  std::string nested = text;
  const std::size_t at = nested.find("{\"key\"");
  nested.replace(at, 1, "{\"x\":[[[[[[[[[[1]]]]]]]]]],");
  EXPECT_THROW(Database::from_json(nested, "document"), Error);
}

TEST_F(DatabaseLearning, WorkIsClaimedOnce) {
  EXPECT_TRUE(database.claim("w", "one", 60));
  EXPECT_TRUE(database.claim("w", "one", 60)) << "again";
  EXPECT_FALSE(database.claim("w", "two", 60));
  EXPECT_TRUE(database.claim("v", "two", 60));
  database.release("w", "two");
  EXPECT_FALSE(database.claim("w", "two", 60)) << "only its holder gives it back";
  database.release("w", "one");
  EXPECT_TRUE(database.claim("w", "two", 60));
  EXPECT_TRUE(database.claim("x", "one", -1));
  EXPECT_TRUE(database.claim("x", "two", 60)) << "its time is over";
  for (const char* const until : {"9999-12-31T23:59:59.999Z", "z", ""}) {
    Sqlite(path).run("UPDATE claim SET until = ?1", std::string_view(until));
    EXPECT_TRUE(database.claim("w", "three", 60)) << "by a clock that was ahead: " << until;
    EXPECT_EQ(rows("claim"), 1);
    EXPECT_FALSE(database.claim("w", "four", 60));
  }
  EXPECT_EQ(Database::open((folder / "copy.db").string()).merge(database).skipped.size(), 0U);
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
