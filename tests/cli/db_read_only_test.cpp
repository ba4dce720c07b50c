// cli_db_read_only: databases that may be read and not written.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/system/sqlite.h"
#include "tests/support/db_folder.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

/// Names of the folder's files, in order.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

struct CliDbReadOnly : CliDb {
  CliDbReadOnly() {
    for (const char* const each : {"ro", "out"}) fs::create_directory(folder / each);
    fs::permissions(folder.path(), fs::perms(0755));
    fs::permissions(folder / "out", fs::perms::all);
    fill("ro/t.db");
  }
  ~CliDbReadOnly() override { fs::permissions(folder / "ro", fs::perms::all); }

  /// Takes the permission to write from the file and gives the folder these.
  void protect(int folder_mode) {
    fs::permissions(folder / "ro/t.db", fs::perms(0444));
    fs::permissions(folder / "ro", fs::perms(folder_mode));
  }

  CliOutcome ask(const std::string& arguments) {
    return db(arguments + " --db ro/t.db", without_root().value());
  }

  void expect_all_answered() {
    for (const char* const question :
         {"list", "show a --dtype f32", "best a", "verify", "export out/t.json", "list --json"}) {
      const CliOutcome outcome = ask(question);
      EXPECT_EQ(outcome.status, 0) << question << ": " << outcome.err;
    }
    fs::remove(folder / "out/w.db");
    const CliOutcome merged = db("merge ro/t.db --db out/w.db", without_root().value());
    EXPECT_EQ(merged.status, 0) << merged.err;
    EXPECT_EQ(measurements("out/w.db"), measurements_copied());
  }

  /// The measurements in the document that export has written.
  std::int64_t measurements_copied() {
    return static_cast<std::int64_t>(
        json::parse(contents(folder / "out/t.json"))["tables"]["measurement"].size());
  }
};

#define SKIP_WITHOUT_USER()                                              \
  if (!without_root())                                                   \
  GTEST_SKIP() << "root cannot become a user here: permissions are not " \
                  "tested"

TEST_F(CliDbReadOnly, WhoMayNotWriteCanAskAndLeavesNothingBehind) {
  SKIP_WITHOUT_USER();
  for (const int mode : {0555, 0777}) {
    protect(mode);
    expect_all_answered();
    EXPECT_EQ(measurements_copied(), 10);
    EXPECT_EQ(names_in(folder / "ro"), std::vector<std::string>{"t.db"}) << mode;
  }
  set_contents(folder / "ro/t.db-wal", "");  // as a killed reader leaves it
  protect(0555);
  expect_all_answered();
  fs::permissions(folder / "ro", fs::perms::all);
  fs::remove(folder / "ro/t.db-wal");
  protect(0555);
  const CliOutcome pruned = ask("prune --failed");
  EXPECT_EQ(pruned.status, 5);
  EXPECT_NE(pruned.err.find("cannot be written; mend its permissions"), std::string::npos)
      << pruned.err;
}

TEST_F(CliDbReadOnly, WhatMayNotBeReadSaysSo) {
  SKIP_WITHOUT_USER();
  fs::permissions(folder / "ro/t.db", fs::perms::none);
  const CliOutcome listed = ask("list");
  EXPECT_EQ(listed.status, 5);
  EXPECT_NE(listed.err.find("t.db cannot be read for lack of permission; mend it, or name"),
            std::string::npos)
      << listed.err;
}

TEST_F(CliDbReadOnly, AnyNameWillDo) {
  SKIP_WITHOUT_USER();
  fs::rename(folder / "ro/t.db", folder / "ro/a b?mode=rw#%41\xc3\xa4.db");
  fs::permissions(folder / "ro", fs::perms(0555));
  const CliOutcome listed =
      db("list --db 'ro/a b?mode=rw#%41\xc3\xa4.db' --json", without_root().value());
  ASSERT_EQ(listed.status, 0) << listed.err;
  EXPECT_EQ(json::parse(listed.out)["problems"].size(), 4u);
}

TEST_F(CliDbReadOnly, WhatAWriterHasInItsLogIsSeen) {
  SKIP_WITHOUT_USER();
  Database writer = Database::open(place("ro/t.db"));
  add_run(writer, problem_of("late"), 10);
  ASSERT_TRUE(fs::exists(folder / "ro/t.db-wal"));
  protect(0555);
  expect_all_answered();
  EXPECT_EQ(measurements_copied(), 13);
  // The log of a writer that was killed, which only its owner can read.
  fs::create_directory(folder / "left");
  for (const char* const name : {"t.db", "t.db-wal"})
    fs::copy_file(folder / "ro" / name, folder / "left" / name);
  fs::permissions(folder / "left", fs::perms(0555));
  const CliOutcome left = db("list --db left/t.db", without_root().value());
  EXPECT_EQ(left.status, 5);
  EXPECT_NE(left.err.find("t.db-wal, that is only read where its folder can be written; copy both"),
            std::string::npos)
      << left.err;
  fs::permissions(folder / "left", fs::perms::all);
}

}  // namespace
}  // namespace alphasparse
