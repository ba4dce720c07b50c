// database_upkeep: rows that leave the database and rows that must not, and reads while others
// write.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "runtime/database/database.h"
#include "runtime/system/sqlite.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

constexpr const char* longest_ago = "2020-01-01T00:00:00.000Z";
constexpr const char* less_long_ago = "2020-01-02T00:00:00.000Z";

Problem problem_named(const std::string& name = "m") {
  Problem problem;
  problem.matrix = {name, "values"};
  problem.rows = 3;
  problem.cols = 4;
  problem.nnz = 5;
  problem.matrix_name = name;
  problem.device = {"", "h200", TimeKind::modelled, "1", "sm_90"};
  problem.options = "values=fixed";
  problem.generator_version = "0.1.0";
  return problem;
}

Measurement timed_at(const std::string& design, double time_us,
                     const std::string& created_at = "") {
  Measurement measurement;
  measurement.design = design;
  measurement.verified = true;
  measurement.timing.emplace();
  measurement.timing->time_us = time_us;
  measurement.timing->time_us_p20 = time_us;
  measurement.timing->time_us_p80 = time_us;
  measurement.created_at = created_at;
  return measurement;
}

Measurement wrong(const std::string& design, const std::string& created_at) {
  Measurement measurement;
  measurement.design = design;
  measurement.status = Status::wrong_result;
  measurement.reason = "row 3";
  measurement.created_at = created_at;
  return measurement;
}

struct DatabaseUpkeep : ::testing::Test {
  TestFolder folder;
  Database database = Database::open((folder / "t.db").string());

  std::string begin(const Problem& problem = problem_named()) {
    return database.begin_run(problem, {60, 0, 0});
  }

  std::int64_t prune(const PruneCriteria& criteria) {
    const auto dry = database.prune(criteria, true);
    const auto real = database.prune(criteria, false);
    std::int64_t removed = 0;
    EXPECT_EQ(dry.size(), real.size());
    for (std::size_t i = 0; i < real.size(); ++i) {
      EXPECT_EQ(dry[i].measurements, real[i].measurements);
      EXPECT_EQ(dry[i].runs, real[i].runs);
      EXPECT_EQ(dry[i].whole, real[i].whole);
      removed += real[i].measurements;
    }
    EXPECT_EQ(database.complaints({}), std::vector<std::string>());
    return removed;
  }

  std::int64_t rows(const char* table) {
    return Sqlite((folder / "t.db").string())
        .integer(fmt::format("SELECT count(*) FROM {}", table));
  }
};

TEST_F(DatabaseUpkeep, AFailureThatOutdatesASuccessStays) {
  const std::string run = begin();
  database.record(run, timed_at("was wrong", 1, longest_ago));
  database.record(run, wrong("was wrong", less_long_ago));
  database.record(run, timed_at("right", 9, longest_ago));
  database.record(run, wrong("never right", less_long_ago));
  ASSERT_EQ(database.best(problem_named())->design, "right");
  EXPECT_EQ(prune({std::nullopt, true, "", ""}), 1);
  EXPECT_EQ(database.best(problem_named())->design, "right");
  EXPECT_EQ(database.outcomes(problem_named()).count("never right"), 0u);
  // Together with the rows that it outdates it may go.
  EXPECT_EQ(prune({30, false, "", ""}), 2);
  EXPECT_EQ(database.outcomes(problem_named()).size(), 1u);
  EXPECT_EQ(rows("design"), 1);
}

TEST_F(DatabaseUpkeep, AllCriteriaMustHold) {
  for (const char* name : {"a", "b"}) {
    const std::string run = begin(problem_named(name));
    database.record(run, timed_at("best", 1, longest_ago));
    database.record(run, timed_at("old", 2, longest_ago));
    database.record(run, wrong("old and wrong", longest_ago));
    database.record(run, timed_at("new", 3));
    database.finish(run, RunState::complete, 1, 4);
  }
  EXPECT_EQ(prune({30, true, "", "a"}), 1);
  EXPECT_EQ(prune({30, false, "", "a"}), 2) << "a named winner too";
  EXPECT_EQ(database.best(problem_named("a"))->design, "new");
  EXPECT_EQ(prune({30, false, "", ""}), 2);
  EXPECT_EQ(database.best(problem_named("b"))->design, "best");
  EXPECT_EQ(prune({std::nullopt, false, "0.1.0", ""}), 0) << "all are of this generator";
  EXPECT_EQ(prune({std::nullopt, false, "0.2.0", ""}), 1) << "all but the winners";
  EXPECT_EQ(rows("problem"), 2);
  EXPECT_EQ(prune({100'000, false, "", "b"}), 0) << "before SQLite's calendar, or at its dawn";
  EXPECT_EQ(prune({std::nullopt, false, "", "b"}), 1);
  EXPECT_EQ(rows("problem"), 1);
  EXPECT_EQ(rows("matrix"), 1);
}

TEST_F(DatabaseUpkeep, ARunThatMayGoOnStays) {
  const std::string run = begin();
  database.record(run, timed_at("a", 1));
  EXPECT_EQ(prune({std::nullopt, false, "", "m"}), 1);
  EXPECT_EQ(rows("run"), 1);
  database.record(run, timed_at("b", 2));  // its search has not noticed
  database.finish(run, RunState::complete, 1, 2);
  EXPECT_EQ(prune({std::nullopt, false, "", "m"}), 1);
  EXPECT_EQ(rows("run"), 0);
  EXPECT_EQ(rows("run_end"), 0);
  EXPECT_EQ(rows("problem"), 0);
  EXPECT_EQ(rows("device"), 0);
}

TEST_F(DatabaseUpkeep, ARunOfAClockThatWasAheadGoes) {
  database.record(begin(), timed_at("a", 1));
  Sqlite((folder / "t.db").string()).run("UPDATE run SET created_at = '9999-01-01T00:00:00.000Z'");
  EXPECT_EQ(prune({std::nullopt, false, "", "m"}), 1);
  EXPECT_EQ(rows("run"), 0);
}

TEST_F(DatabaseUpkeep, ANameIsNotAPattern) {
  database.record(begin(problem_named("a%")), timed_at("d", 1));
  database.record(begin(problem_named("ab")), timed_at("d", 1));
  EXPECT_EQ(prune({std::nullopt, false, "", "a%"}), 1);
  EXPECT_TRUE(database.best(problem_named("ab")));
}

TEST_F(DatabaseUpkeep, ShrinkingGivesWayToAWriter) {
  database.record(begin(), timed_at("d", 1));
  Sqlite other((folder / "t.db").string());
  {
    const Transaction writing(other);
    EXPECT_FALSE(database.shrink());
  }
  EXPECT_TRUE(database.shrink());
  EXPECT_TRUE(database.best(problem_named()));
}

TEST_F(DatabaseUpkeep, HistoryHasRunsWithAndWithoutAnEnd) {
  const std::string ended = database.begin_run(problem_named(), {60, 9, 3});
  database.record(ended, timed_at("d", 1));
  database.finish(ended, RunState::interrupted, 2.5, 1);
  begin();
  const auto problems = database.problems();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].runs, 2);
  EXPECT_EQ(problems[0].best->design, "d");
  EXPECT_EQ(problems[0].problem.matrix_name, "m");
  const History history = database.history(problems[0].key);
  ASSERT_EQ(history.runs.size(), 2u);
  EXPECT_EQ(history.outcomes.size(), 1u);
  const StoredRun& first = history.runs[history.runs[0].key == ended ? 0 : 1];
  EXPECT_EQ(first.requested.seed, 3u);
  EXPECT_EQ(first.requested.trials, 9);
  ASSERT_TRUE(first.end);
  EXPECT_EQ(first.end->state, RunState::interrupted);
  EXPECT_EQ(first.end->seconds, 2.5);
  EXPECT_FALSE(history.runs[history.runs[0].key == ended ? 1 : 0].end);
}

}  // namespace
}  // namespace alphasparse
