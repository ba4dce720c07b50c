// database: round trips, refusals, two writers, a killed writer, and merging.
#include "runtime/database.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>
#include <vector>

#include "runtime/sqlite.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

/// A folder of the test's own, gone afterwards.
class DatabaseTest : public ::testing::Test {
 protected:
  DatabaseTest() {
    std::string pattern = (fs::temp_directory_path() / "alphasparse-db-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::permissions(folder_, fs::perms::all);
  }
  ~DatabaseTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string place(const std::string& name = "tuning.db") const {
    return (folder_ / name).string();
  }

  fs::path folder_;
};

Problem problem_of(const std::string& values = "v1") {
  Problem problem;
  problem.matrix = {"p1", values};
  problem.rows = 3;
  problem.cols = 4;
  problem.nnz = 5;
  problem.matrix_name = "small";
  problem.device = {"emulated:h200", "h200", TimeKind::modelled, "1", "sm_90"};
  problem.options = "values=fixed";
  problem.generator_version = "0.1.0";
  return problem;
}

Measurement timed(const std::string& design, double time_us, std::int64_t format_bytes = 100) {
  Measurement measurement;
  measurement.design = design;
  measurement.verified = true;
  measurement.format_bytes = format_bytes;
  measurement.timing = Timing{time_us, time_us * 0.9, time_us * 1.1, 7,           32,   0, 11,
                              12,      "all of it",   1980,          "power cap", true, 0};
  measurement.convert_us = 1234.5;
  measurement.load_us = 99;
  measurement.trial_us = 2500.25;
  measurement.bound_us = 2.75;
  return measurement;
}

Measurement failed(const std::string& design, Status status) {
  Measurement measurement;
  measurement.design = design;
  measurement.status = status;
  measurement.reason = "for a reason";
  return measurement;
}

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The one-line text of the Error (exit 5) that `act` must throw.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::database);
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_NE(text.find("--db"), std::string::npos) << text << ": says what to do";
    return text;
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

std::string refusal_to_open(const std::string& path) {
  return refusal([&] { Database::open(path); });
}

/// Runs `act` in a child process and returns its exit status (or -signal).
int in_child(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) _exit(act());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

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
  EXPECT_EQ(outcomes.at("wrong").convert_us, -1);
  EXPECT_EQ(outcomes.at("wrong").trial_us, -1);
}

// What was measured in turn, last, decides over what was measured before and by itself.
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
  EXPECT_EQ(a.spent(problem_of(), 0).trials, 4);
  a.merge(place("b.db"));
  EXPECT_EQ(a.spent(problem_of(), 0).trials, 4) << "merging again adds nothing";
  EXPECT_EQ(a.check(), "");
  Database b = Database::open(place("b.db"));
  EXPECT_EQ(b.spent(problem_of(), 0).trials, 2) << "the other file is left alone";
  b.merge(place("a.db"));
  EXPECT_EQ(b.best(problem_of())->design, "a.db");
  EXPECT_EQ(b.spent(problem_of(), 0).trials, 4) << "either way round";
}

TEST_F(DatabaseTest, ForeignFilesAreRefusedAndLeftAlone) {
  write_bytes(place("text"), "this is a letter to my aunt\n");
  EXPECT_NE(refusal_to_open(place("text")).find("is not a tuning database"), std::string::npos);
  EXPECT_EQ(read_bytes(place("text")), "this is a letter to my aunt\n");
  {
    Sqlite other(place("other.db"));
    other.run("CREATE TABLE t (x)");
  }
  const std::string before = read_bytes(place("other.db"));
  EXPECT_NE(refusal_to_open(place("other.db")).find("another program"), std::string::npos);
  EXPECT_EQ(read_bytes(place("other.db")), before);
  write_bytes(place("empty"), "");
  Database::open(place("empty"));
}

TEST_F(DatabaseTest, ANewerSchemaIsRefusedAndLeftAlone) {
  { Database database = Database::open(place()); }
  { Sqlite(place()).run("PRAGMA user_version=4"); }
  const std::string before = read_bytes(place());
  EXPECT_NE(refusal_to_open(place()).find("has schema 4, this program knows 3"), std::string::npos);
  EXPECT_EQ(read_bytes(place()), before);
}

TEST_F(DatabaseTest, TruncatedFilesAreRefusedAndLeftAlone) {
  {
    Database database = Database::open(place());
    const std::string run = database.begin_run(problem_of(), {60, 0, 0});
    for (int i = 0; i < 50; ++i) database.record(run, timed(fmt::format("design {}", i), i));
  }
  const std::string whole = read_bytes(place());
  ASSERT_GT(whole.size(), 8192u);
  for (const std::size_t size : {std::size_t{1}, std::size_t{99}, std::size_t{512},
                                 std::size_t{4096}, whole.size() / 2, whole.size() - 1}) {
    write_bytes(place("cut"), whole.substr(0, size));
    refusal([&] { Database::open(place("cut")).outcomes(problem_of()); });
    EXPECT_EQ(read_bytes(place("cut")).size(), size);
  }
}

TEST_F(DatabaseTest, DamageInTheMiddleIsAnError) {
  {
    Database database = Database::open(place());
    const std::string run = database.begin_run(problem_of(), {60, 0, 0});
    for (int i = 0; i < 50; ++i) database.record(run, timed(fmt::format("design {}", i), i));
  }
  std::string bytes = read_bytes(place());
  for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 37);
  write_bytes(place(), bytes);
  EXPECT_NE(refusal([&] { Database::open(place()).outcomes(problem_of()); }).find("is damaged"),
            std::string::npos);
}

TEST_F(DatabaseTest, PlacesThatCannotHoldAFile) {
  EXPECT_NE(refusal_to_open(folder_.string()).find("is not a file"), std::string::npos);
  EXPECT_NE(refusal_to_open("/dev/null").find("is not a file"), std::string::npos);
  EXPECT_NE(refusal_to_open(place("no/such/folder.db")).find("its folder does not exist"),
            std::string::npos);
  EXPECT_NE(refusal_to_open("/proc/self/tuning.db").find("cannot be opened"), std::string::npos);
}

TEST_F(DatabaseTest, AFolderWithoutWritePermission) {
  { Database database = Database::open(place("old.db")); }
  fs::permissions(place("old.db"), fs::perms::owner_read | fs::perms::others_read);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                               fs::perms::others_exec);
  const int status = in_child([&] {
    if (geteuid() == 0 && setuid(65534) != 0) return 3;  // root may write anywhere
    const std::string text = refusal_to_open(place("new.db"));
    refusal_to_open(place("old.db"));
    return text.find("cannot be opened") != std::string::npos && !HasFailure() ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  fs::permissions(folder_, fs::perms::all);
}

TEST_F(DatabaseTest, AFullDisk) {
  const int status = in_child([&] {
    Database database = Database::open(place());
    const std::string run = database.begin_run(problem_of(), {60, 0, 0});
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1'000'000, 1'000'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string text = refusal([&] {
      for (int i = 0; i < 10000; ++i) database.record(run, timed(fmt::format("d{}", i), i));
    });
    return text.find("full") != std::string::npos && !HasFailure() ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  Database database = Database::open(place());
  EXPECT_EQ(database.check(), "");
  EXPECT_GT(database.outcomes(problem_of()).size(), 10u) << "what was committed is there";
}

TEST_F(DatabaseTest, TwoWritersAtOnce) {
  constexpr int writers = 4;
  constexpr int rows = 60;
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        Database database = Database::open(place());  // all of them make it
        const std::string run = database.begin_run(problem_of(), {60, 0, 0});
        for (int i = 0; i < rows; ++i)
          database.record(run, timed(fmt::format("design {} {}", writer, i), i));
        database.finish(run, RunState::complete, 1, rows);
        _exit(0);
      } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        _exit(1);
      }
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Database database = Database::open(place());
  EXPECT_EQ(database.outcomes(problem_of()).size(), static_cast<std::size_t>(writers * rows));
  EXPECT_EQ(database.check(), "");
}

TEST_F(DatabaseTest, AKilledWriterLosesNothingCommitted) {
  std::array<int, 2> channel{};
  ASSERT_EQ(pipe(channel.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    Database database = Database::open(place());
    const std::string run = database.begin_run(problem_of(), {60, 0, 0});
    for (int i = 0;; ++i) {
      database.record(run, timed(fmt::format("design {}", i), i));
      if (write(channel[1], &i, sizeof i) != sizeof i) _exit(1);
    }
  }
  int last = -1;
  while (last < 40) ASSERT_EQ(read(channel[0], &last, sizeof last), ssize_t{sizeof last});
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(channel[1]);
  for (int more = 0; read(channel[0], &more, sizeof more) == ssize_t{sizeof more};) last = more;
  close(channel[0]);

  Database database = Database::open(place());
  EXPECT_EQ(database.check(), "");
  const Outcomes outcomes = database.outcomes(problem_of());
  for (int i = 0; i <= last; ++i) EXPECT_TRUE(outcomes.contains(fmt::format("design {}", i))) << i;
  EXPECT_LE(outcomes.size(), static_cast<std::size_t>(last) + 2);
  EXPECT_FALSE(database.is_complete(problem_of(), {60, 0, 0}));
  database.record(database.begin_run(problem_of(), {60, 0, 0}), timed("after", 0));
}

TEST_F(DatabaseTest, NetworkFileSystemsGetARollbackJournal) {
  EXPECT_TRUE(is_network_file_system(0x6969));
  EXPECT_TRUE(is_network_file_system(0xFF534D42));
  EXPECT_FALSE(is_network_file_system(0xEF53)) << "ext4";
  const auto mode = [](Sqlite& sqlite) {
    Statement statement(sqlite, "PRAGMA journal_mode");
    statement.step();
    return statement.text(0);
  };
  { Database database = Database::open(place()); }
  Sqlite sqlite(place());
  EXPECT_EQ(mode(sqlite), on_network_file_system(folder_.string()) ? "delete" : "wal");
  sqlite.choose_journal(true);
  EXPECT_EQ(mode(sqlite), "delete");
}

TEST_F(DatabaseTest, ThePlaceFollowsOptionThenEnvironment) {
  const std::string home = folder_.string();
  unsetenv("XDG_DATA_HOME");
  setenv("HOME", home.c_str(), 1);
  setenv("ALPHASPARSE_DB", "/tmp/from-environment.db", 1);
  EXPECT_EQ(database_place("mine.db"), "mine.db");
  EXPECT_EQ(database_place(""), "/tmp/from-environment.db");
  setenv("ALPHASPARSE_DB", "", 1);
  EXPECT_EQ(database_place(""), home + "/.local/share/alphasparse/tuning.db");
  setenv("XDG_DATA_HOME", "relative", 1);
  EXPECT_EQ(database_place(""), home + "/.local/share/alphasparse/tuning.db");
  setenv("XDG_DATA_HOME", (home + "/data").c_str(), 1);
  EXPECT_EQ(database_place(""), home + "/data/alphasparse/tuning.db");
  Database::open(database_place(""));
  unsetenv("XDG_DATA_HOME");
  unsetenv("HOME");
  EXPECT_NE(refusal([] { database_place(""); }).find("HOME is not set"), std::string::npos);
  setenv("HOME", "/proc/self", 1);
  EXPECT_NE(refusal([] { database_place(""); }).find("cannot make folder"), std::string::npos);
}

}  // namespace
}  // namespace alphasparse
