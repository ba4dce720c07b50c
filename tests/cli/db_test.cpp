// cli_db: the commands of `alphasparse db` that show, prune and verify rows.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/database/schema.h"
#include "runtime/matrices/text/matrix_market.h"
#include "runtime/system/sqlite.h"
#include "tests/support/db_folder.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

constexpr const char* small_matrix =
    "%%MatrixMarket matrix coordinate real general\n"
    "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n";

TEST_F(CliDb, ListIsALineAProblem) {
  fill();
  const std::string text = db("list").out;
  const std::string table = text.substr(0, text.find("\n\n") + 1);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5) << text;
  EXPECT_NE(text.find("f32 cold baselines"), std::string::npos) << text;
  EXPECT_NE(text.find("10 us"), std::string::npos) << text;
  const std::size_t line_2 = text.find('\n') + 1;
  EXPECT_EQ(text.find("time") + 4, text.find("10 us modelled") + 14 - line_2) << text;
  const json listed = db_json("list");
  EXPECT_EQ(listed["schema"], 1);
  ASSERT_EQ(listed["problems"].size(), 4u);
  const json& first = listed["problems"][0];
  EXPECT_EQ(first["name"], "a");
  EXPECT_EQ(first["dtype"], "f32");
  EXPECT_EQ(first["cache"], "warm");
  EXPECT_EQ(first["kind"], "modelled");
  EXPECT_EQ(first["runs"], 1);
  EXPECT_EQ(first["measurements"], 3);
  EXPECT_EQ(first["best"]["design"], design(0));
  EXPECT_EQ(first["best"]["time_us"], 10);
  EXPECT_EQ(first["vendor"], false);
  EXPECT_EQ(db_json("list --matrix b")["problems"].size(), 2u);
  EXPECT_EQ(db_json("list --matrix b")["problems"][1]["vendor"], true);
  EXPECT_EQ(db_json("list --device h200")["problems"].size(), 2u);
  EXPECT_EQ(db_json("list --dtype f64")["problems"].size(), 1u);
  EXPECT_EQ(db_json("list --cache cold --dtype f32")["problems"].size(), 2u);
  const CliOutcome none = db("list --matrix nobody");
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(none.out, "");
}

TEST_F(CliDb, ListAndBestFitTheConsoleAndTellTheRatioToTheBestBaseline) {
  const std::string hostile(200, 'x');
  {
    Database database = Database::open(place());
    Problem problem = problem_of(hostile);
    problem.device.gpu = std::string(200, 'g');
    add_run(database, problem, 10);
    problem.options = "values=varying precision=f32 deterministic nonfinite=exact";
    add_run(database, problem, 1e-300);
    problem.options = vendor_options;
    const std::string run = database.begin_run(problem, {60, 0, 0});
    Measurement fastest = timed("cusparse-csr-2", 25);
    fastest.format_bytes = 200;
    database.record(run, fastest);
    database.record(run, timed("cusparse-csr-1", 25.01));
  }
  const auto line_lengths = [](const std::string& text) {
    std::vector<std::size_t> lengths;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) lengths.push_back(line.size());
    return lengths;
  };
  for (const std::string& question : {std::string("list"), "best " + hostile}) {
    const std::string text = db(question).out;
    for (const std::size_t length : line_lengths(text)) EXPECT_LE(length, 100U) << text;
    EXPECT_NE(text.find("x baseline\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  2.50\n"), std::string::npos) << text;
    EXPECT_NE(text.find("x...x"), std::string::npos) << text;
    EXPECT_EQ(text.find(design(0)), std::string::npos) << text;
    const std::string wide = db(question + " --wide").out;
    for (const std::string& whole : {hostile, std::string(200, 'g'), design(0)})
      EXPECT_NE(wide.find(whole + (whole == design(0) ? "\n" : " ")), std::string::npos) << wide;
    const json problems = db_json(question)["problems"];
    EXPECT_EQ(problems[0]["times_vendor"], 2.5);
    EXPECT_EQ(problems[0]["times_vendor_range"], json({2.5, 2.5}));
    EXPECT_EQ(problems[2]["times_vendor"], json()) << "the baselines themselves";
    EXPECT_EQ(problems[2]["best"]["design"], "cusparse-csr-2") << "as tune has it";
  }
}

TEST_F(CliDb, ListTellsWhatWinnersGainOverTheBestNamedDesign) {
  fill();
  Database database = Database::open(place());
  const Problem problem = problem_of("a");
  Measurement winner = timed(std::string(design(0)) + " of another kind", 8);
  winner.format_bytes = 25;
  database.record(database.begin_run(problem, {60, 9, 7}), winner);
  const json listed = db_json("list --matrix a --dtype f32");
  const json& pfs = listed["problems"][0]["pfs"];
  EXPECT_EQ(pfs["name"], "csr-scalar");
  EXPECT_EQ(pfs["design"], design(0));
  EXPECT_EQ(pfs["speedup"], 1.25);
  EXPECT_EQ(pfs["bytes_ratio"], 0.25);
  ASSERT_EQ(listed["against_pfs"].size(), 1u);
  const json& sum = listed["against_pfs"][0];
  EXPECT_EQ(sum["kind"], "modelled");
  EXPECT_EQ(sum["winners"], 1);
  EXPECT_EQ(sum["clearly_faster"], 1);
  EXPECT_EQ(sum["no_named_design"], 1);
  EXPECT_EQ(db_json("list --matrix b")["problems"][1]["pfs"], json()) << "the vendor's";
  const std::string text = db("list").out;
  EXPECT_NE(text.find("\nmeasured times: 1 winner against"), std::string::npos) << text;
  EXPECT_NE(text.find("\nmodelled times: 2 winners against"), std::string::npos) << text;
}

TEST_F(CliDb, ShowIsAllOfAProblemFastestFirst) {
  fill();
  const json shown = db_json("show a --dtype f32");
  ASSERT_EQ(shown["outcomes"].size(), 3u);
  EXPECT_EQ(shown["outcomes"][0]["design"], design(0));
  EXPECT_EQ(shown["outcomes"][1]["time_us"], 15);
  EXPECT_EQ(shown["outcomes"][2]["status"], "pruned");
  EXPECT_EQ(shown["outcomes"][2]["reason"], "too many pads");
  ASSERT_EQ(shown["run_list"].size(), 1u);
  EXPECT_EQ(shown["run_list"][0]["state"], "complete");
  EXPECT_EQ(shown["run_list"][0]["seconds"], 1.5);
  EXPECT_EQ(shown["run_list"][0]["trials"], 2);
  EXPECT_EQ(shown["run_list"][0]["budget"]["seconds"], 60);
  EXPECT_EQ(shown["run_list"][0]["budget"]["trials"], 9);
  const std::string key = shown["problem"]["key"];
  EXPECT_EQ(db_json("show " + key.substr(0, 12))["problem"]["key"], key);
  const std::string text = db("show " + key).out;
  EXPECT_LT(text.find("10 us"), text.find("15 us")) << text;
  EXPECT_NE(text.find(design(2) + ": too many pads"), std::string::npos) << text;
}

TEST_F(CliDb, ANameShowsAllItsProblems) {
  fill();
  const std::string text = db("show a").out;
  const json listed = db_json("list --matrix a");
  ASSERT_EQ(listed["problems"].size(), 2U);
  for (const json& problem : listed["problems"])
    EXPECT_NE(text.find("problem  " + problem["key"].get<std::string>()), std::string::npos);
  const json shown = db_json("show a");
  ASSERT_EQ(shown["problems"].size(), 2U);
  EXPECT_NE(shown["problems"][0]["problem"]["dtype"], shown["problems"][1]["problem"]["dtype"]);
  expect_error("show nobody", 2, "knows no 'nobody'");
  expect_error("best nobody", 2, "knows no 'nobody'");
  for (const std::string digits : {"4", "45", "45f"})
    expect_error("show " + digits, 2,
                 "knows no matrix '" + digits + "' with these options, and of a key at least 4");
  expect_error("show xy", 2, "knows no 'xy'");
}

TEST_F(CliDb, BestGoesByNameOrByTheMatrixItself) {
  set_contents(folder / "m.mtx", small_matrix);
  {
    Database database = Database::open(place());
    Problem problem = problem_of("called otherwise");
    problem.matrix = fingerprints(read_matrix_market((folder / "m.mtx").string()));
    add_run(database, problem, 10);
    problem.regime = CacheRegime::cold;
    add_run(database, problem, 30);
    Problem nothing = problem_of("nothing");
    database.record(database.begin_run(nothing, {60, 0, 0}),
                    failed(design(0), Status::wrong_result, "row 3"));
  }
  const json best = db_json("best m.mtx");
  EXPECT_EQ(best["same_values"], true);
  ASSERT_EQ(best["problems"].size(), 2u);
  EXPECT_EQ(best["problems"][0]["cache"], "cold");
  EXPECT_EQ(best["problems"][0]["best"]["time_us"], 30);
  EXPECT_EQ(db_json("best 'called otherwise' --cache warm")["problems"][0]["best"]["time_us"], 10);
  EXPECT_NE(db("best m.mtx --wide").out.find(design(0)), std::string::npos);

  std::string other = small_matrix;
  other.replace(other.find("1.5"), 3, "2.5");
  set_contents(folder / "n.mtx", other);
  EXPECT_EQ(db_json("best n.mtx")["same_values"], false);
  EXPECT_NE(db("best n.mtx").err.find("with other values"), std::string::npos);
  expect_error("best nothing", 3, "no verified design");
  expect_error("best no-such.mtx", 2, "no-such.mtx");
}

// Up to generator 11 a machine's faults were stored as if they were designs'.
TEST_F(CliDb, OldFailuresAreCountedAndGoWhenTheyAreAskedTo) {
  {
    Database database = Database::open(place());
    Problem old = problem_of("a");
    old.generator_version = "11";
    const std::string of_old = database.begin_run(old, {1, 0, 0});
    database.record(of_old, failed(design(0), Status::launch_error, "failed to map segment"));
    database.record(of_old, failed(design(1), Status::out_of_memory, "cannot load"));
    database.record(of_old, failed(design(2), Status::wrong_result, "wrong"));
    database.record(of_old, failed(design(3), Status::pruned, "banned"));
    const std::string of_now = database.begin_run(problem_of("a"), {1, 0, 0});
    database.record(of_now, failed(design(0), Status::crash, "illegal address"));
  }
  EXPECT_EQ(db_json("verify")["old_failures"], 2);
  const CliOutcome told = db("verify");
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_NE(told.out.find("2 failures of other generators"), std::string::npos) << told.out;
  EXPECT_EQ(measurements(), 5) << "nothing goes by itself";
  EXPECT_EQ(db("prune --failed --generator-not-current").status, 0);
  EXPECT_EQ(db_json("verify")["old_failures"], 0);
  EXPECT_EQ(measurements(), 1) << "this generator's";
}

TEST_F(CliDb, WhatOnlyReadsMakesNoDatabaseOfAnEmptyFile) {
  fill();
  set_contents(folder / "empty.db", "");
  for (const std::string question :
       {"list --db empty.db", "show a --db empty.db", "best a --db empty.db",
        "verify --db empty.db", "export e.json --db empty.db"})
    expect_error(question, 5, "empty.db is empty; name another file with --db");
  expect_error("merge empty.db", 5, "empty.db is empty; name another database");
  EXPECT_EQ(contents(folder / "empty.db"), "");
  EXPECT_FALSE(fs::exists(folder / "e.json"));
  EXPECT_EQ(db("merge t.db --db empty.db").status, 0) << "what writes may begin with one";
  EXPECT_EQ(measurements("empty.db"), 10);
  Sqlite(place("bare.db")).run_script("CREATE TABLE t (x); DROP TABLE t");
  const std::string bare = contents(folder / "bare.db");
  expect_error("list --db bare.db", 5, "bare.db is empty");
  EXPECT_EQ(contents(folder / "bare.db"), bare);
}

TEST_F(CliDb, PruneWantsACriterionAndSparesWinners) {
  fill();
  expect_error("prune", 2, "nothing was removed");
  expect_error("prune --dry-run", 2, "nothing was removed");
  expect_error("prune --older-than -1", 2, "--older-than wants a whole number of days");
  EXPECT_EQ(measurements(), 10);

  const json old = db_json("prune --older-than 1");
  EXPECT_EQ(old["problems"].size(), 0u) << "nothing is as old";
  const json dry = db_json("prune --failed --dry-run");
  EXPECT_EQ(measurements(), 10);
  const std::string one = db("prune --failed --matrix b --dry-run").out;
  EXPECT_NE(one.find("would go: 1 measurement, 0 runs"), std::string::npos) << one;
  const json real = db_json("prune --failed");
  EXPECT_EQ(real["problems"], dry["problems"]);
  EXPECT_EQ(dry["problems"].size(), 3u);
  EXPECT_EQ(measurements(), 7);
  EXPECT_TRUE(real["shrunk"]);

  const json winners = db_json("list");
  EXPECT_NE(db("prune --older-than 0").out.find("removed: 3 measurements"), std::string::npos);
  EXPECT_EQ(measurements(), 4) << "the winners";
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(db_json("list")["problems"][i]["best"], winners["problems"][i]["best"]);
  EXPECT_EQ(db_json("prune --older-than 0")["problems"].size(), 0u);

  const json named = db_json("prune --matrix a");
  ASSERT_EQ(named["problems"].size(), 2u);
  EXPECT_EQ(named["problems"][0]["whole"], true);
  EXPECT_EQ(db_json("list")["problems"].size(), 2u);
  EXPECT_EQ(db("verify").status, 0);
  EXPECT_EQ(db_json("prune --generator-not-current")["problems"].size(), 0u);
}

TEST_F(CliDb, PruneShrinksTheFile) {
  {
    Database database = Database::open(place());
    const std::string run = database.begin_run(problem_of("a"), {60, 0, 0});
    for (int i = 0; i < 300; ++i)
      database.record(run, failed(fmt::format("d{}", i), Status::pruned, std::string(2000, 'x')));
    database.finish(run, RunState::complete, 1, 1);
  }
  const auto before = fs::file_size(folder / "t.db");
  EXPECT_EQ(db("prune --failed").status, 0);
  EXPECT_LT(fs::file_size(folder / "t.db"), before / 5);
}

TEST_F(CliDb, VerifySaysEverythingThatIsWrong) {
  fill();
  EXPECT_EQ(db("verify").status, 0) << db("verify").out;
  EXPECT_EQ(db_json("verify")["complaints"].size(), 0u);
  {
    Sqlite sqlite(place());
    sqlite.run("PRAGMA foreign_keys=OFF");
    sqlite.run("UPDATE measurement SET time_us = 9e999, created_at = 'today' WHERE time_us = 5");
    sqlite.run("INSERT INTO run_end VALUES ('gone', 'complete', 1, 1, '2026-01-01T00:00:00.000Z')");
    sqlite.run("UPDATE matrix SET pattern = 'another' WHERE name = 'a'");
    Database database = Database::open(place());
    const std::string run = database.begin_run(problem_of("c"), {60, 0, 0});
    database.record(run, timed("compress|thread_total", 1));
    Problem vendors = problem_of("c");
    vendors.options = vendor_options;
    database.record(database.begin_run(vendors, {60, 0, 0}), timed(design(0), 1));
    Problem old = problem_of("d");
    old.generator_version = "0.0.1";
    database.record(database.begin_run(old, {60, 0, 0}), timed("what it was called then", 1));
  }
  const CliOutcome outcome = db("verify");
  EXPECT_EQ(outcome.status, 5);
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1);
  const std::string lines = outcome.out;
  for (const char* text : {"not finite", "created_at is no time", "its key is not its content's",
                           "run_end has lost its run", "no algorithm of the vendor's"})
    EXPECT_NE(lines.find(text), std::string::npos) << text << "\n" << lines;
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 7) << lines;
}

TEST_F(CliDb, WhatIsNoDatabaseIsRefusedAndLeftAlone) {
  const std::vector<std::string> commands = {"list",       "show a",          "best a",
                                             "verify",     "prune --failed",  "export x.json",
                                             "merge t.db", "import good.json"};
  fill("u.db");
  ASSERT_EQ(db("export good.json --db u.db").status, 0);
  const auto refuse_all = [&](const std::string& text, std::size_t count) {
    const bool exists = fs::exists(folder / "t.db");
    const std::string before = exists ? contents(folder / "t.db") : "";
    for (std::size_t i = 0; i < count; ++i) expect_error(commands[i], 5, text);
    EXPECT_EQ(fs::exists(folder / "t.db"), exists);
    if (exists) {
      EXPECT_EQ(contents(folder / "t.db"), before);
    }
  };
  refuse_all("does not exist", commands.size() - 1);
  set_contents(folder / "t.db", "a letter to my aunt\n");
  refuse_all("is not a tuning database", commands.size());
  fs::remove(folder / "t.db");
  fill();
  Sqlite(place()).run("PRAGMA user_version=10");
  refuse_all("has schema 10", commands.size());
  EXPECT_FALSE(fs::exists(folder / "x.json"));
}

TEST_F(CliDb, DamageInTheMiddleIsFound) {
  {
    Database database = Database::open(place());
    for (int i = 0; i < 30; ++i) add_run(database, problem_of(fmt::format("m{}", i)), 10);
  }
  const std::string whole = contents(folder / "t.db");
  int found = 0;
  for (std::size_t page = 1; page * 4096 < whole.size(); page += 3) {
    std::string bytes = whole;
    for (std::size_t i = page * 4096; i < (page + 1) * 4096; ++i)
      bytes[i] = static_cast<char>(i * 37);
    set_contents(folder / "t.db", bytes);
    const CliOutcome outcome = db("verify");
    EXPECT_EQ(outcome.status, 5) << "page " << page << outcome.out;
    EXPECT_EQ(contents(folder / "t.db"), bytes) << "left as it is";
    found += outcome.status == 5;
  }
  EXPECT_GT(found, 5);
}

TEST_F(CliDb, ListsWhileTwoProcessesWrite) {
  Database::open(place());
  constexpr int rows = 80;
  std::vector<pid_t> writers;
  for (int writer = 0; writer < 2; ++writer) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        Database database = Database::open(place());
        const std::string run = database.begin_run(problem_of("a"), {60, 0, 0});
        for (int i = 0; i < rows; ++i)
          database.record(run, timed(fmt::format("{} {}", writer, i), 1 + i));
        database.finish(run, RunState::complete, 1, rows);
        _exit(0);
      } catch (const Error&) {
        _exit(1);
      }
    }
    writers.push_back(child);
  }
  std::int64_t last = 0;
  for (int i = 0; i < 10; ++i) {
    const json problems = db_json("list")["problems"];
    if (problems.empty()) continue;
    EXPECT_GE(problems[0]["measurements"].get<std::int64_t>(), last);
    last = problems[0]["measurements"];
  }
  EXPECT_EQ(db("prune --failed").status, 0);
  EXPECT_EQ(db("export while.json").status, 0);
  for (const pid_t writer : writers) {
    int status = 0;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(db_json("list")["problems"][0]["measurements"], 2 * rows);
  EXPECT_EQ(db("import while.json --db while.db").status, 0) << "a state that was whole";
}

TEST_F(CliDb, UsageErrorsAreOneLineWithAHint) {
  fill();
  expect_error("", 2, "see alphasparse db --help");
  expect_error("burn", 2, "see alphasparse db --help");
  expect_error("show", 2, "see alphasparse db show --help");
  expect_error("merge", 2, "see alphasparse db merge --help");
  expect_error("list --dtype f16", 2,
               "--dtype wants f32 (float32, single), f64 (float64, double), c64 (complex64, "
               "csingle) or c128 (complex128, cdouble), not 'f16'");
  expect_error("list --cache hot", 2, "--cache wants warm or cold, not 'hot'");
  EXPECT_NE(db("--help").out.find("prune"), std::string::npos);
  EXPECT_NE(db("prune --help").out.find("--older-than"), std::string::npos);
}

}  // namespace
}  // namespace alphasparse
