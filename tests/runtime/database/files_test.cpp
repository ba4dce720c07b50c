// database_files: files that cannot be used, two writers, a killed writer, and where the file lies.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

#include "runtime/database/database.h"
#include "runtime/system/sqlite.h"
#include "tests/support/database_fixture.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

std::string bytes_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The one-line text of the Error (exit 5) that `act` must throw.
std::string database_refusal(const std::function<void()>& act) {
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
  return database_refusal([&] { Database::open(path); });
}

/// Runs `act` in a child process and returns its exit status (or -signal).
int in_child(const std::function<int()>& act) {
  const pid_t child = fork();
  if (child == 0) _exit(act());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(DatabaseTest, ForeignFilesAreRefusedAndLeftAlone) {
  write_bytes(place("text"), "this is a letter to my aunt\n");
  EXPECT_NE(refusal_to_open(place("text")).find("is not a tuning database"), std::string::npos);
  EXPECT_EQ(bytes_in(place("text")), "this is a letter to my aunt\n");
  {
    Sqlite other(place("other.db"));
    other.run("CREATE TABLE t (x)");
  }
  const std::string before = bytes_in(place("other.db"));
  EXPECT_NE(refusal_to_open(place("other.db")).find("another program"), std::string::npos);
  EXPECT_EQ(bytes_in(place("other.db")), before);
  write_bytes(place("empty"), "");
  Database::open(place("empty"));
}

TEST_F(DatabaseTest, ANewerSchemaIsRefusedAndLeftAlone) {
  { Database database = Database::open(place()); }
  { Sqlite(place()).run("PRAGMA user_version=10"); }
  const std::string before = bytes_in(place());
  EXPECT_NE(refusal_to_open(place()).find("has schema 10, this program knows 9"),
            std::string::npos);
  EXPECT_EQ(bytes_in(place()), before);
}

TEST_F(DatabaseTest, TruncatedFilesAreRefusedAndLeftAlone) {
  {
    Database database = Database::open(place());
    const std::string run = database.begin_run(problem_of(), {60, 0, 0});
    for (int i = 0; i < 50; ++i) database.record(run, timed(fmt::format("design {}", i), i));
  }
  const std::string whole = bytes_in(place());
  ASSERT_GT(whole.size(), 8192u);
  for (const std::size_t size : {std::size_t{1}, std::size_t{99}, std::size_t{512},
                                 std::size_t{4096}, whole.size() / 2, whole.size() - 1}) {
    write_bytes(place("cut"), whole.substr(0, size));
    database_refusal([&] { Database::open(place("cut")).outcomes(problem_of()); });
    EXPECT_EQ(bytes_in(place("cut")).size(), size);
  }
}

TEST_F(DatabaseTest, DamageInTheMiddleIsAnError) {
  {
    Database database = Database::open(place());
    const std::string run = database.begin_run(problem_of(), {60, 0, 0});
    for (int i = 0; i < 50; ++i) database.record(run, timed(fmt::format("design {}", i), i));
  }
  std::string bytes = bytes_in(place());
  for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 37);
  write_bytes(place(), bytes);
  EXPECT_NE(
      database_refusal([&] { Database::open(place()).outcomes(problem_of()); }).find("is damaged"),
      std::string::npos);
}

// The check of all pages would take too long whenever a file is opened.
TEST_F(DatabaseTest, ATableThatBeginsAtAnothersPageIsRefused) {
  { Database::open(place()).begin_run(problem_of(), {60, 0, 0}); }
  const std::string whole = bytes_in(place());
  std::vector<std::string> names;
  {
    Sqlite sqlite(place());
    SqlStatement row(sqlite, "SELECT name FROM sqlite_master");
    while (row.step()) names.push_back(row.text(0));
  }
  ASSERT_GT(names.size(), 20u);
  for (const std::string& name : names) {
    for (const char* const root :
         {"(SELECT rootpage FROM sqlite_master WHERE name <> ?1 LIMIT 1)", "1", "99999"}) {
      write_bytes(place("forged.db"), whole);
      {
        Sqlite sqlite(place("forged.db"));
        sqlite.run_script("PRAGMA writable_schema=ON");
        sqlite.run(fmt::format("UPDATE sqlite_master SET rootpage={} WHERE name=?1", root), name);
      }
      const std::string forged = bytes_in(place("forged.db"));
      EXPECT_NE(refusal_to_open(place("forged.db")).find("is damaged"), std::string::npos) << name;
      EXPECT_THROW(Database::open_to_read(place("forged.db")), Error) << name;
      EXPECT_THROW(Database::open_source(place("forged.db")), Error) << name;
      EXPECT_EQ(bytes_in(place("forged.db")), forged);
    }
  }
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

TEST_F(DatabaseTest, ALimitOfAFilesSize) {
  const int status = in_child([&] {
    Database database = Database::open(place());
    const std::string run = database.begin_run(problem_of(), {60, 0, 0});
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1'000'000, 1'000'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string text = database_refusal([&] {
      for (int i = 0; i < 10000; ++i) database.record(run, timed(fmt::format("d{}", i), i));
    });
    return text.find("(ulimit -f)") != std::string::npos && !HasFailure() ? 0 : 1;
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
    SqlStatement statement(sqlite, "PRAGMA journal_mode");
    statement.step();
    return statement.text(0);
  };
  { Database database = Database::open(place()); }
  Sqlite sqlite(place());
  EXPECT_EQ(mode(sqlite), is_on_network(folder_.string()) ? "delete" : "wal");
  sqlite.choose_journal(true);
  EXPECT_EQ(mode(sqlite), "delete");
}

TEST_F(DatabaseTest, ThePlaceFollowsOptionThenEnvironment) {
  const std::string home = folder_.string();
  unsetenv("XDG_DATA_HOME");
  setenv("HOME", home.c_str(), 1);
  setenv("ALPHASPARSE_DB", "/tmp/from-environment.db", 1);
  EXPECT_EQ(database_path("mine.db"), "mine.db");
  EXPECT_EQ(database_path(""), "/tmp/from-environment.db");
  setenv("ALPHASPARSE_DB", "", 1);
  EXPECT_EQ(database_path(""), home + "/.local/share/alphasparse/tuning.db");
  setenv("XDG_DATA_HOME", "relative", 1);
  EXPECT_EQ(database_path(""), home + "/.local/share/alphasparse/tuning.db");
  setenv("XDG_DATA_HOME", (home + "/data").c_str(), 1);
  EXPECT_EQ(database_path(""), home + "/data/alphasparse/tuning.db");
  Database::open(database_path(""));
  unsetenv("XDG_DATA_HOME");
  unsetenv("HOME");
  EXPECT_NE(database_refusal([] { database_path(""); }).find("HOME is not set"), std::string::npos);
  setenv("HOME", "/proc/self", 1);
  EXPECT_NE(database_refusal([] { database_path(""); }).find("cannot make folder"),
            std::string::npos);
}

}  // namespace
}  // namespace alphasparse
