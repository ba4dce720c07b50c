// database: round trips, the rows that count, budgets, and merging.
#include "runtime/database/database.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "runtime/system/sqlite.h"
#include "tests/support/database_fixture.h"

namespace alphasparse {
namespace {

TEST_F(DatabaseTest, RoundTrip) {
  const Problem problem = problem_of();
  {
    Database database = Database::open(place());
    const std::string run = database.begin_run(problem, {60, 0, 7});
    database.record(run, timed("slow", 20.5));
    database.record(run, timed("fast", 10.25));
    database.record(run, failed("wrong", Status::wrong_result));
    database.finish(run, RunState::complete, 1.5, 3);
  }
  Database database = Database::open(place());
  EXPECT_EQ(database.check(), "");
  const Outcomes outcomes = database.outcomes(problem);
  ASSERT_EQ(outcomes.size(), 3u);
  EXPECT_EQ(outcomes.at("wrong").status, Status::wrong_result);
  EXPECT_EQ(outcomes.at("wrong").reason, "for a reason");
  EXPECT_FALSE(outcomes.at("wrong").timing.has_value());
  const std::optional<Measurement> best = database.best(problem);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->design, "fast");
  EXPECT_EQ(best->format_bytes, 100);
  EXPECT_TRUE(best->verified);
  EXPECT_EQ(best->created_at.size(), 24u) << best->created_at;
  ASSERT_TRUE(best->timing);
  EXPECT_EQ(best->timing->time_us, 10.25);
  EXPECT_EQ(best->timing->time_us_p20, 10.25 * 0.9);
  EXPECT_EQ(best->timing->time_us_p80, 10.25 * 1.1);
  EXPECT_EQ(best->timing->time_us_min, 10.25 * 0.8);
  EXPECT_EQ(best->timing->samples, 7);
  EXPECT_EQ(best->timing->registers, 32);
  EXPECT_EQ(best->timing->spill_bytes, 0);
  EXPECT_EQ(best->timing->sectors, 11);
  EXPECT_EQ(best->timing->dram_bytes, 12);
  EXPECT_EQ(best->timing->note, "all of it");
  EXPECT_EQ(best->timing->sm_mhz, 1980);
  EXPECT_EQ(best->timing->slowed, "power cap");
  EXPECT_TRUE(best->timing->noisy);
  EXPECT_EQ(best->timing->rounds, 0);
  EXPECT_EQ(best->convert_us, 1234.5);
  EXPECT_EQ(best->load_us, 99);
  EXPECT_EQ(best->trial_us, 2500.25);
  EXPECT_EQ(best->bound_us, 2.75);
  EXPECT_FALSE(outcomes.at("wrong").convert_us);
  EXPECT_FALSE(outcomes.at("wrong").trial_us);
}

// The last measurement in turn decides over earlier ones and over those taken alone.
TEST_F(DatabaseTest, MeasuredInTurnDecides) {
  Database database = Database::open(place());
  const std::string run = database.begin_run(problem_of(), {60, 0, 0});
  const auto record = [&](const std::string& design, double us, int rounds, const char* day) {
    Measurement measurement = timed(design, us);
    measurement.timing->rounds = rounds;
    measurement.created_at = std::string("2026-01-") + day + "T00:00:00.000Z";
    database.record(run, measurement);
  };
  record("lucky", 9, 0, "01");
  record("a", 10.2, 0, "01");
  record("b", 10.1, 0, "01");
  EXPECT_EQ(database.best(problem_of())->design, "lucky");
  record("a", 10.0, 50, "02");
  record("b", 10.5, 50, "02");
  EXPECT_EQ(database.best(problem_of())->design, "a");
  record("later", 9.9, 0, "03");
  EXPECT_EQ(database.best(problem_of())->design, "later");
  record("a", 9.0, 50, "04");
  record("later", 9.2, 50, "04");
  EXPECT_EQ(database.best(problem_of())->design, "a");
}

TEST_F(DatabaseTest, EveryStatusComesBack) {
  Database database = Database::open(place());
  const std::string run = database.begin_run(problem_of(), {60, 0, 0});
  for (int i = 0; i <= static_cast<int>(Status::duplicate); ++i) {
    const auto status = static_cast<Status>(i);
    database.record(run, failed(status_name(status), status));
  }
  for (const auto& [design, measurement] : database.outcomes(problem_of()))
    EXPECT_EQ(status_name(measurement.status), design);
  EXPECT_EQ(database.outcomes(problem_of()).size(), 9u);
}

TEST_F(DatabaseTest, TheNewestMeasurementOfADesignCounts) {
  Database database = Database::open(place());
  const std::string run = database.begin_run(problem_of(), {60, 0, 0});
  Measurement early = timed("d", 1);
  early.created_at = "2026-01-01T00:00:00.000Z";
  Measurement late = timed("d", 9);
  late.created_at = "2026-01-02T00:00:00.000Z";
  database.record(run, late);
  database.record(run, early);
  database.record(run, timed("e", 5));
  EXPECT_EQ(database.outcomes(problem_of()).at("d").timing->time_us, 9);
  EXPECT_EQ(database.best(problem_of())->design, "e");
  Measurement unverified = timed("e", 5);
  unverified.verified = false;
  unverified.status = Status::wrong_result;
  unverified.created_at = "9026-01-01T00:00:00.000Z";
  database.record(run, unverified);
  EXPECT_EQ(database.best(problem_of())->design, "d");
}

TEST_F(DatabaseTest, EqualTimesPreferFewerBytes) {
  Database database = Database::open(place());
  const std::string run = database.begin_run(problem_of(), {60, 0, 0});
  database.record(run, timed("a", 5, 200));
  database.record(run, timed("b", 5, 100));
  EXPECT_EQ(database.best(problem_of())->design, "b");
}

TEST_F(DatabaseTest, ProblemsDoNotMix) {
  Database database = Database::open(place());
  const Problem problem = problem_of();
  database.record(database.begin_run(problem, {60, 0, 0}), timed("d", 1));
  std::vector<Problem> others(7, problem);
  others[0].matrix.values = "v2";
  others[1].matrix.pattern = "p2";
  others[2].device.kind = TimeKind::measured;
  others[3].device.version = "2";
  others[4].dtype = Dtype::f64;
  others[5].regime = CacheRegime::cold;
  others[6].generator_version = "0.2.0";
  for (const Problem& other : others) EXPECT_FALSE(database.best(other));
  Problem same = problem;
  same.matrix_name = "another name";
  same.device.name = "another slot";
  EXPECT_TRUE(database.best(same));
}

// The key of a matrix has its fingerprints alone: the rest of a merged row is another's word.
TEST_F(DatabaseTest, OurOwnMatrixHasItsOwnNameAndShape) {
  Problem forged = problem_of();
  forged.matrix_name = "another";
  forged.rows = 1;
  forged.cols = 2147483647;
  forged.nnz = 0;
  { Database::open(place("forged.db")).begin_run(forged, {60, 0, 0}); }
  Database database = Database::open(place());
  ASSERT_EQ(database.merge(place("forged.db")).problems, 1);
  ASSERT_EQ(database.problems({"another", "", ""}).size(), 1u);
  database.begin_run(problem_of(), {60, 0, 0});
  const std::vector<StoredProblem> problems = database.problems();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].problem.matrix_name, "small");
  EXPECT_EQ(problems[0].problem.rows, 3);
  EXPECT_EQ(problems[0].problem.cols, 4);
  EXPECT_EQ(problems[0].problem.nnz, 5);
  EXPECT_TRUE(database.merge(place("forged.db")).skipped.empty());
  EXPECT_EQ(database.problems()[0].problem.rows, 3) << "it stays";
}

TEST_F(DatabaseTest, TextsAreKeptUpToALimit) {
  Database database = Database::open(place());
  Problem problem = problem_of();
  problem.matrix_name = std::string(5000, 'n');
  Measurement measurement = failed("d", Status::compile_error);
  measurement.reason = std::string(200'000, 'r');
  database.record(database.begin_run(problem, {60, 0, 0}), measurement);
  EXPECT_EQ(database.problems()[0].problem.matrix_name, std::string(1024, 'n'));
  EXPECT_EQ(database.outcomes(problem).at("d").reason, std::string(65536, 'r'));
  EXPECT_EQ(database.complaints({}), std::vector<std::string>());
  Sqlite(place()).run("UPDATE matrix SET name = hex(zeroblob(2000))");
  EXPECT_EQ(database.problems()[0].problem.matrix_name.size(), 1024u) << "of any writer";
  EXPECT_EQ(database.complaints({}).size(), 1u);
}

TEST_F(DatabaseTest, ALargerBudgetIsNotComplete) {
  Database database = Database::open(place());
  const Problem problem = problem_of();
  EXPECT_FALSE(database.is_complete(problem, {60, 0, 0}));
  const std::string interrupted = database.begin_run(problem, {60, 0, 0});
  EXPECT_FALSE(database.is_complete(problem, {60, 0, 0})) << "has no end yet";
  database.finish(interrupted, RunState::interrupted, 1, 0);
  EXPECT_FALSE(database.is_complete(problem, {60, 0, 0})) << "was interrupted";
  database.finish(database.begin_run(problem, {60, 10, 0}), RunState::complete, 2, 10);
  EXPECT_TRUE(database.is_complete(problem, {60, 10, 0}));
  EXPECT_TRUE(database.is_complete(problem, {30, 9, 0}));
  EXPECT_FALSE(database.is_complete(problem, {61, 10, 0})) << "more time";
  EXPECT_FALSE(database.is_complete(problem, {60, 11, 0})) << "more trials";
  EXPECT_FALSE(database.is_complete(problem, {60, 0, 0})) << "unlimited trials";
  EXPECT_FALSE(database.is_complete(problem, {60, 10, 1})) << "another seed";
  database.finish(database.begin_run(problem, {60, 0, 0}), RunState::complete, 4, 20);
  EXPECT_TRUE(database.is_complete(problem, {60, 1000, 0}));
}

TEST_F(DatabaseTest, SpentAddsTheRunsUp) {
  Database database = Database::open(place());
  const Problem problem = problem_of();
  EXPECT_EQ(database.spent(problem, 0).seconds, 0);
  const std::string first = database.begin_run(problem, {60, 0, 0});
  database.record(first, timed("a", 1));
  database.record(first, timed("b", 1));
  database.finish(first, RunState::interrupted, 2.5, 2);
  const std::string killed = database.begin_run(problem, {60, 0, 0});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  database.record(killed, timed("c", 1));
  database.finish(database.begin_run(problem, {60, 0, 1}), RunState::complete, 100, 0);
  const Effort spent = database.spent(problem, 0);
  EXPECT_EQ(spent.trials, 3);
  EXPECT_GE(spent.seconds, 2.5 + 0.045);
  EXPECT_LT(spent.seconds, 2.5 + 10);
}

TEST_F(DatabaseTest, SamePatternFindsTheOtherValues) {
  Database database = Database::open(place());
  const std::string run = database.begin_run(problem_of("v1"), {60, 0, 0});
  database.record(run, timed("d", 1));
  EXPECT_FALSE(database.same_pattern(problem_of("v2"), {60, 0, 0})) << "the run has not ended";
  database.finish(run, RunState::complete, 1, 1);
  const std::optional<Problem> other = database.same_pattern(problem_of("v2"), {60, 0, 0});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->matrix.values, "v1");
  EXPECT_EQ(database.best(*other)->design, "d");
  EXPECT_FALSE(database.same_pattern(problem_of("v1"), {60, 0, 0})) << "those are its own values";
  EXPECT_FALSE(database.same_pattern(problem_of("v2"), {61, 0, 0})) << "more time";
}

TEST_F(DatabaseTest, TheSameMeasurementTwiceIsOne) {
  Database database = Database::open(place());
  const std::string run = database.begin_run(problem_of(), {60, 0, 0});
  Measurement measurement = timed("d", 1);
  measurement.created_at = "2026-01-01T00:00:00.000Z";
  database.record(run, measurement);
  database.record(run, measurement);
  EXPECT_EQ(database.spent(problem_of(), 0).trials, 1);
  measurement.timing->time_us = 2;
  database.record(run, measurement);
  EXPECT_EQ(database.spent(problem_of(), 0).trials, 2);
}

TEST_F(DatabaseTest, AMeasurementNeedsItsRun) {
  Database database = Database::open(place());
  EXPECT_THROW(database.record("no such run", timed("d", 1)), Error);
}

TEST_F(DatabaseTest, MergeIsAUnion) {
  for (const char* name : {"a.db", "b.db"}) {
    Database database = Database::open(place(name));
    const std::string run = database.begin_run(problem_of(), {60, 0, 0});
    database.record(run, timed("both", 3));
    database.record(run, timed(name, name[0] == 'a' ? 1 : 2));
    database.finish(run, RunState::complete, 1, 2);
  }
  Database a = Database::open(place("a.db"));
  a.merge(place("b.db"));
  EXPECT_EQ(a.outcomes(problem_of()).size(), 3u);
  EXPECT_EQ(a.outcomes(problem_of(), Origin::here).size(), 2u);
  EXPECT_EQ(a.outcomes(problem_of(), Origin::elsewhere).size(), 2u);
  EXPECT_EQ(a.spent(problem_of(), 0).trials, 2) << "what others have spent is not ours";
  EXPECT_EQ(a.merge(place("b.db")).measurements, 0) << "merging again adds nothing";
  EXPECT_EQ(a.check(), "");
  Database b = Database::open(place("b.db"));
  EXPECT_EQ(b.spent(problem_of(), 0).trials, 2) << "the other file is left alone";
  b.merge(place("a.db"));
  EXPECT_EQ(b.best(problem_of())->design, "a.db");
  EXPECT_EQ(b.outcomes(problem_of()).size(), 3u) << "either way round";
}

}  // namespace
}  // namespace alphasparse
