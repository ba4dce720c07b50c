// cli_tune_many: many matrices in one call of tune - folders, failures, shards, devices, budgets
// and interrupts, on the emulator. ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "runtime/database/database.h"
#include "runtime/system/sqlite.h"
#include "tests/support/cli.h"
#include "tests/support/processes.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliTuneMany : ::testing::Test {
  TestFolder folder;

  /// A small matrix of its own, so many times as wide as it is high.
  void make(const std::string& name, int cols) {
    std::filesystem::create_directories((folder / name).parent_path());
    set_contents(folder / name,
                 fmt::format("%%MatrixMarket matrix coordinate real general\n2 {0} 3\n"
                             "1 1 1.5\n1 {0} -2\n2 {0} 3\n",
                             cols));
  }

  CliOutcome tune(const std::string& arguments, const std::string& environment = "") {
    return run_cli(folder, "tune " + arguments + " --db t.db -o out", environment);
  }

  /// Runs on the emulator, as JSON, with this exit status.
  json tuned(const std::string& arguments, int status = 0) {
    const CliOutcome outcome =
        tune(arguments + " --device emulated:h200 --trials 1 --quiet --json");
    EXPECT_EQ(outcome.status, status) << outcome.err;
    return json::parse(outcome.out);
  }

  void expect_refused(const std::string& arguments, const std::string& text, int status = 2) {
    const CliOutcome outcome = tune(arguments + " --device emulated:h200 --trials 1 --quiet");
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "a search has begun";
  }

  void expect_refused_base(const std::string& base) {
    const CliOutcome outcome = tune("all --base " + base + " --device emulated:h200 --quiet");
    EXPECT_EQ(outcome.status, 5);
    EXPECT_NE(outcome.err.find(base + " does not exist"), std::string::npos) << outcome.err;
  }

  /// The values of a field, one a matrix.
  static std::vector<std::string> fields(const json& object, const char* name) {
    std::vector<std::string> all;
    for (const json& matrix : object["matrices"]) all.push_back(matrix[name]);
    return all;
  }
  static std::vector<std::string> names(const json& object) { return fields(object, "name"); }
  static std::vector<std::string> tiers(const json& object) { return fields(object, "tier"); }

  static std::vector<std::string> keys(const json& object) {
    std::vector<std::string> all;
    for (const auto& [key, value] : object.items()) all.push_back(key);
    return all;
  }
};

TEST_F(CliTuneMany, FoldersAreSearchedAndAFailureStopsNothing) {
  make("all/b.mtx", 4);
  make("all/deep/deeper/a.mtx", 5);
  make("c.mtx", 6);
  set_contents(folder / "all/broken.mtx", "%%MatrixMarket matrix coordinate real general\n5 4\n");
  set_contents(folder / "all/notes.txt", "no matrix");
  std::filesystem::create_directory_symlink(folder / "all", folder / "all/again");
  const json result = tuned("all c.mtx", 2);
  EXPECT_EQ(result["schema"], 1);
  EXPECT_EQ(names(result), (std::vector<std::string>{"b", "a", "c"}));
  ASSERT_EQ(result["failed"].size(), 1u);
  EXPECT_EQ(result["failed"][0]["matrix"], "all/broken.mtx");
  EXPECT_EQ(result["failed"][0]["exit"], 2);
  EXPECT_EQ(result["failed"][0]["error"].get<std::string>().rfind("all/broken.mtx:2:", 0), 0u);
  EXPECT_TRUE(result["not_begun"].empty());
  EXPECT_EQ(result["interrupted"], false);
  for (const char* file : {"a.cu", "b.safetensors", "c.h"})
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / file)) << file;
  const json alone = tuned("c.mtx");
  EXPECT_EQ(alone["tier"], "exact") << "the same call again is answered";
  EXPECT_EQ(keys(result["matrices"][2]), keys(alone));
  EXPECT_EQ(result["matrices"][2]["design"], alone["design"]);
}

TEST_F(CliTuneMany, OneTableAndTheFailuresThen) {
  make("all/b.mtx", 4);
  set_contents(folder / "all/a.mtx", "no matrix");
  const CliOutcome outcome = tune("all --device emulated:h200 --trials 1");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out.rfind("matrix", 0), 0u) << outcome.out;
  EXPECT_NE(outcome.out.find("\nb "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\nfailed   all/a.mtx:1: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\ntuned    1, 1 failed, 0 left, in "), std::string::npos);
  EXPECT_NE(outcome.err.find("alphasparse: 1/2 failed: all/a.mtx:1: "), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("alphasparse: 2/2 b: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("alphasparse: error: 1 of 2 matrices failed, first: all/a.mtx:1: "),
            std::string::npos)
      << outcome.err;
}

TEST_F(CliTuneMany, MatricesOfOneNameAreNamedByTheirFolders) {
  make("s1/m.mtx", 4);
  make("s2/m.mtx", 5);
  EXPECT_EQ(names(tuned("s1 s2")), (std::vector<std::string>{"s1_m", "s2_m"}));
  const json again = tuned("s1 s2");
  for (const json& matrix : again["matrices"]) EXPECT_EQ(matrix["tier"], "exact");
  const std::string source = contents(folder / "out/s2_m.cu");
  EXPECT_NE(source.find("alphasparse emit s2/m.mtx "), std::string::npos);
  EXPECT_NE(source.find(" --name=s2_m "), std::string::npos);
  EXPECT_NE(source.find("s2_m_load"), std::string::npos);
}

TEST_F(CliTuneMany, WhatMakesNoSenseIsRefusedBeforeTheFirstSearch) {
  make("a/m.mtx", 4);
  make("b/m.mtx", 5);
  set_contents(folder / "b/m.smtx", "2, 2, 1\n0 1 1\n0\n");
  expect_refused("a b", "b/m.mtx and b/m.smtx would write the same files");
  expect_refused("a b --shard 1/2", "would write the same files");
  expect_refused("a a/m.mtx", "a/m.mtx and a/m.mtx would write the same files; name one");
  expect_refused("- -", "/dev/stdin and /dev/stdin would write the same files; name one");
  expect_refused("a --prefix one", "--prefix is for one matrix");
  expect_refused("a --name one", "--name is for one matrix");
  expect_refused("a --explain", "--explain tells of one matrix");
  std::filesystem::create_directories(folder / "empty/inner");
  expect_refused("empty", "empty: no matrix is in it");
  for (const char* shard : {"0/3", "4/3", "x", "1", "1/", "/2", "1/2x", "-1/2", "1/0"})
    expect_refused(std::string("a --shard ") + shard, "--shard wants K/N");
  for (const char* time : {"0", "721h", "soon"})
    expect_refused(std::string("a --time-total ") + time, "--time-total wants a time above 0");
}

TEST_F(CliTuneMany, DevicesThatCannotWorkSideBySideAreRefused) {
  make("a/m.mtx", 4);
  for (const auto& [devices, text, status] :
       {std::tuple{"cpu:1,cpu:1", "give a CPU alone", 2},
        std::tuple{"emulated,cpu", "give a CPU alone", 2},
        std::tuple{"cuda:1,cuda:0,cuda:1", "cuda:1 is there twice", 2},
        std::tuple{"auto,emulated", "auto stands for itself", 2},
        std::tuple{"emulated,", "no device is called \"\"", 2},
        std::tuple{"emulated,cuda:7", "cuda", 4}, std::tuple{"all", "no GPU is here", 4}}) {
    const CliOutcome outcome = tune(fmt::format("a --quiet --device {}", devices),
                                    "ALPHASPARSE_LIBCUDA=/nowhere/libcuda.so");
    EXPECT_EQ(outcome.status, status) << devices << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "a search has begun";
  }
}

TEST_F(CliTuneMany, DevicesShareTheMatrices) {
  for (const int i : {1, 2, 3}) make(fmt::format("all/m{}.mtx", i), 3 + i);
  const CliOutcome outcome =
      tune("all --device emulated:h200,emulated:h100 --trials 1 --quiet --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(names(result), (std::vector<std::string>{"m1", "m2", "m3"}));
  std::set<std::string> devices;
  for (const json& matrix : result["matrices"]) devices.insert(matrix["device"]);
  EXPECT_EQ(devices, (std::set<std::string>{"emulated:h100", "emulated:h200"}));
}

TEST_F(CliTuneMany, ShardsLoseNoneAndMergeToAll) {
  for (int i = 1; i <= 5; ++i) make(fmt::format("all/m{}.mtx", i), 3 + i);
  set_contents(folder / "all/broken.mtx", "");
  std::multiset<std::string> seen;
  std::size_t failed = 0;
  for (const char* shard : {"1", "2"}) {
    const CliOutcome outcome =
        run_cli(folder, fmt::format("tune all --shard {0}/2 --db {0}.db -o out --trials 1 --quiet "
                                    "--json --device emulated:h200",
                                    shard));
    const json result = json::parse(outcome.out);
    EXPECT_EQ(outcome.status, result["failed"].empty() ? 0 : 2) << outcome.err;
    for (const std::string& name : names(result)) seen.insert(name);
    failed += result["failed"].size();
  }
  EXPECT_EQ(seen, (std::multiset<std::string>{"m1", "m2", "m3", "m4", "m5"}));
  EXPECT_EQ(failed, 1u);
  ASSERT_EQ(run_cli(folder, "db merge 1.db 2.db --db t.db").status, 0);
  // Rows of another database are tried here before they answer.
  EXPECT_EQ(tiers(tuned("all", 2)), std::vector<std::string>(5, "proposed"));
  EXPECT_EQ(tiers(tuned("all", 2)), std::vector<std::string>(5, "exact"));
}

TEST_F(CliTuneMany, WhatTheTotalDoesNotReachIsSaidAndComesFirstNextTime) {
  for (const int i : {1, 2, 3}) make(fmt::format("all/m{}.mtx", i), 3 + i);
  const std::string hurried = "all --time-total 10ms --device emulated:h200 --trials 1 --json";
  for (const char* const name : {"m1", "m2", "m3"}) {
    const CliOutcome outcome = tune(hurried);
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_EQ(names(json::parse(outcome.out)), std::vector<std::string>{name});
    EXPECT_NE(outcome.err.find("alphasparse: 0.01 s for 3 matrices on 1 device: too short for "
                               "searches, so the first right design each"),
              std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("--time-total is over: 2 of 3 matrices have no result"),
              std::string::npos)
        << outcome.err;
  }
  EXPECT_EQ(Sqlite((folder / "t.db").string()).integer("SELECT max(seconds_asked) FROM run"), 0)
      << "less than a search costs is no time: the first design that is right";
}

TEST_F(CliTuneMany, WhatOthersLeaveOfTheTotalIsNotSearchedForAgain) {
  for (const int i : {1, 2, 3}) make(fmt::format("all/m{}.mtx", i), 3 + i);
  const std::vector<std::string> first = tiers(tuned("all --time-total 60s"));
  EXPECT_EQ(std::count(first.begin(), first.end(), "exact"), 0);
  Sqlite database((folder / "t.db").string());
  EXPECT_EQ(database.integer("SELECT max(seconds_asked) > 40 FROM run"), 1)
      << "the last one may take what the others have left";
  EXPECT_EQ(tiers(tuned("all --time-total 60s")), std::vector<std::string>(3, "exact"));
}

TEST_F(CliTuneMany, ResultsAreLinesAsTheyCome) {
  make("all/b.mtx", 4);
  set_contents(folder / "all/a.mtx", "no matrix");
  const json result = tuned("all --results lines", 2);
  const std::string text = contents(folder / "lines");
  const std::size_t end = text.find('\n');
  EXPECT_EQ(json::parse(text.substr(0, end)), result["failed"][0]);
  EXPECT_EQ(json::parse(text.substr(end + 1)), result["matrices"][0]);
  tuned("all --results lines", 2);
  EXPECT_EQ(contents(folder / "lines").rfind(text, 0), 0u) << "a second call adds its lines";
  EXPECT_GT(contents(folder / "lines").size(), text.size());
  set_contents(folder / "lines", text.substr(0, text.size() / 2));  // the writer was killed
  tuned("all --results lines", 2);
  for (const std::string other : {"{\"matrix\":\"mine\"}\n", "[1]\n", "{\"schema\":1}\n"}) {
    set_contents(folder / "mine", other);
    const CliOutcome refused = tune("all --results mine --device emulated:h200 --trials 1 --quiet");
    EXPECT_EQ(refused.status, 2) << refused.err;
    EXPECT_TRUE(contains(refused.err, "mine has other lines than those that are added to it"));
    EXPECT_EQ(contents(folder / "mine"), other);
  }
  EXPECT_EQ(tune("all/b.mtx --results lines --device emulated:h200").status, 2);
  EXPECT_EQ(tune("all --results t.db --device emulated:h200 --trials 1").status, 2)
      << "a database is never replaced";
}

TEST_F(CliTuneMany, ABaseIsTriedFirstAndNotCopied) {
  make("all/m1.mtx", 4);
  const json first = tuned("all");
  std::filesystem::rename(folder / "t.db", folder / "base.db");
  const std::string before = contents(folder / "base.db");
  const json second = tuned("all --base base.db");
  EXPECT_EQ(tiers(second), std::vector<std::string>{"proposed"});
  EXPECT_EQ(second["matrices"][0]["design"], first["matrices"][0]["design"]);
  EXPECT_EQ(contents(folder / "base.db"), before);
  EXPECT_EQ(Sqlite((folder / "t.db").string()).integer("SELECT count(*) FROM run"), 1);
  expect_refused_base("nowhere.db");
}

// Another call is at work on one of two: the first call has the other, waits, and is answered.
TEST_F(CliTuneMany, TwoCallsDoNotTuneTheSameMatrix) {
  for (const int i : {1, 2}) make(fmt::format("all/m{}.mtx", i), 3 + i);
  std::vector<pid_t> calls;
  for (const char* const told : {"one", "two"}) {
    calls.push_back(
        start_command(folder.path().string(),
                      fmt::format("'{}' tune all --trials 20 --json --db t.db -o out-{} --device "
                                  "emulated:h200 >{}.json 2>{}.log",
                                  cli_program(), told, told, told)));
  }
  for (const pid_t call : calls) {
    int status = -1;
    waitpid(call, &status, 0);
    EXPECT_EQ(status, 0) << contents(folder / "one.log") << contents(folder / "two.log");
  }
  for (const char* const told : {"one.json", "two.json"})
    EXPECT_EQ(names(json::parse(contents(folder / told))), (std::vector<std::string>{"m1", "m2"}));
  Sqlite database((folder / "t.db").string());
  EXPECT_EQ(database.integer("SELECT count(*) FROM (SELECT 1 FROM measurement JOIN run ON "
                             "run.key = run GROUP BY problem, design HAVING count(*) > 1)"),
            0)
      << "no design of a matrix was tried twice";
  EXPECT_EQ(database.integer("SELECT count(*) FROM claim"), 0) << "all is given back";
}

TEST_F(CliTuneMany, ACrashIsOneMatrixFailure) {
  for (const int i : {1, 2}) make(fmt::format("all/m{}.mtx", i), 3 + i);
  // A compiler that kills its caller, the first time that a kernel is wanted.
  const std::string compiler = (folder / "compiler").string();
  set_contents(compiler, fmt::format("#!/bin/sh\nif [ -e '{0}/t.db' ] && mkdir '{0}/told' "
                                     "2>/dev/null; then kill -KILL $PPID; fi\nexec g++ \"$@\"\n",
                                     folder.path().string()));
  std::filesystem::permissions(compiler, std::filesystem::perms(0755));
  const CliOutcome outcome =
      tune("all --trials 1 --quiet --json --device emulated:h200",
           fmt::format("ALPHASPARSE_CXX='{}' ALPHASPARSE_CACHE=cache", compiler));
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(names(result), (std::vector<std::string>{"m2"}));
  ASSERT_EQ(result["failed"].size(), 1u);
  EXPECT_EQ(result["failed"][0]["matrix"], "all/m1.mtx");
  EXPECT_EQ(result["failed"][0]["exit"], 3);
  EXPECT_NE(result["failed"][0]["error"].get<std::string>().find("killed by signal 9"),
            std::string::npos)
      << result["failed"];
}

TEST_F(CliTuneMany, AnInterruptEndsTheRunningOneAndTheSameCallGoesOn) {
  for (const int i : {1, 2, 3}) make(fmt::format("all/m{}.mtx", i), 3 + i);
  const auto trials = [&] {
    try {
      return std::filesystem::exists(folder / "t.db")
                 ? Sqlite((folder / "t.db").string())
                       .integer("SELECT count(*) FROM measurement WHERE status = 'ok'")
                 : 0;
    } catch (const Error&) {  // it is being made
      return std::int64_t{0};
    }
  };
  for (const bool is_terminal : {true, false}) {
    std::filesystem::remove(folder / "t.db");
    const pid_t child = start_command(
        folder.path().string(), fmt::format("'{}' tune all --time 10m --json --db t.db -o out "
                                            "--device emulated:h200 >told 2>/dev/null",
                                            cli_program()));
    EXPECT_TRUE(comes_true([&] { return trials() >= 2; }));
    // A terminal tells the whole group, others the process that they know.
    kill(is_terminal ? -child : child, is_terminal ? SIGINT : SIGTERM);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    const json first = json::parse(contents(folder / "told"));
    EXPECT_EQ(first["interrupted"], true);
    EXPECT_EQ(names(first), (std::vector<std::string>{"m1"}));
    EXPECT_EQ(first["matrices"][0]["interrupted"], true);
    EXPECT_EQ(first["not_begun"], (json{"all/m2.mtx", "all/m3.mtx"}));
  }
  const json next = tuned("all");
  EXPECT_EQ(names(next), (std::vector<std::string>{"m1", "m2", "m3"}));
  EXPECT_EQ(next["matrices"][0]["tier"], "resumed");
  EXPECT_EQ(next["matrices"][0]["trials_now"], 0) << "what is known is not tried again";
}

}  // namespace
}  // namespace alphasparse
