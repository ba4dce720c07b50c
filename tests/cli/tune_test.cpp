// cli_tune: tune and emit from the matrix file to the files and the database, on the emulator.
// ctest label: emulator
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <thread>

#include "operators/named_designs.h"
#include "runtime/database/database.h"
#include "runtime/system/sqlite.h"
#include "tests/support/cli.h"
#include "tests/support/read_format.h"

namespace alphasparse {
namespace {

using nlohmann::json;

constexpr const char* small_matrix =
    "%%MatrixMarket matrix coordinate real general\n"
    "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n";

struct CliTune : ::testing::Test {
  CliTune() { set_contents(folder / "m.mtx", small_matrix); }

  TestFolder folder;

  CliOutcome tune(const std::string& arguments) {
    return run_cli(folder, "tune " + arguments + " --device emulated:h200 --db t.db");
  }

  json tune_json(const std::string& arguments) {
    const CliOutcome outcome = tune(arguments + " --json");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out);
  }

  void expect_error(const CliOutcome& outcome, int status, const std::string& text) {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    const auto last = outcome.err.rfind("alphasparse: error: ");
    ASSERT_NE(last, std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n', last), outcome.err.size() - 1) << "one line: " << outcome.err;
    EXPECT_NE(outcome.err.find(text, last), std::string::npos) << outcome.err;
  }

  /// Starts an endless enough tune of its own process group and waits until some designs are in the
  /// database.
  pid_t start_tune() {
    const std::string db = (folder / "t.db").string();
    const std::string matrix = (folder / "m.mtx").string();
    const std::string out = (folder / "killed").string();
    std::filesystem::create_directory(folder / "tmp");
    const pid_t child = fork();
    if (child == 0) {
      setpgid(0, 0);
      const std::string log = (folder / "killed.out").string();
      if (dup2(open(log.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO) < 0) _exit(9);
      setenv("TMPDIR", (folder / "tmp").c_str(), 1);
      const std::string program = cli_program();
      execl(program.c_str(), program.c_str(), "tune", matrix.c_str(), "--time", "10m", "--json",
            "--device", "emulated:h200", "--db", db.c_str(), "-o", out.c_str(), nullptr);
      _exit(9);
    }
    setpgid(child, child);
    for (int wait = 0; wait < 600 && trials(db) < 3; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return child;
  }

  /// Trials in the database; 0 while it is being made.
  static int trials(const std::string& db) {
    if (!std::filesystem::exists(db)) return 0;
    try {
      return static_cast<int>(Sqlite(db).integer(
          "SELECT count(*) FROM measurement WHERE status NOT IN ('pruned', 'duplicate')"));
    } catch (const Error&) {
      return 0;
    }
  }
};

TEST_F(CliTune, NoTimeAtAllAnswersWithTheFirstDesignThatIsRight) {
  const json result = tune_json("m.mtx --time 0 -o out");
  EXPECT_EQ(result["trials"], 1);
  EXPECT_EQ(result["statuses"]["ok"], 1);
  EXPECT_GT(result["time_us"], 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/m.cu"));
  const json more = tune_json("m.mtx --trials 4 -o out");
  EXPECT_GE(more["trials"], 4) << "no answer to whoever has time";
  EXPECT_LE(more["time_us"], result["time_us"]);
}

TEST_F(CliTune, LeavesFilesRowsAndOneObject) {
  const json result = tune_json("m.mtx -o out --trials 3");
  EXPECT_EQ(result["schema"], 1);
  EXPECT_EQ(result["matrix"], "m.mtx");
  EXPECT_EQ(result["nnz"], 7);
  EXPECT_EQ(result["device"], "emulated:h200");
  EXPECT_EQ(result["kind"], "modelled");
  EXPECT_EQ(result["tier"], "none");
  EXPECT_EQ(result["trials"], 3);
  EXPECT_EQ(result["csr_bytes"], 7 * 8 + 6 * 4);
  EXPECT_GT(result["time_us"], 0);
  EXPECT_GE(result["pfs"]["time_us"], result["time_us"]) << "never worse than the named designs";
  EXPECT_EQ(result["fingerprints"]["pattern"].get<std::string>().size(), 32u);
  std::int64_t counted = 0;
  for (const auto& [status, count] : result["statuses"].items()) counted += count.get<int>();
  EXPECT_GE(counted, 3);
  const FormatFile format = read_format_file(folder / "out/m.safetensors");
  EXPECT_EQ(format.design, result["design"]);
  EXPECT_EQ(format.fingerprints.pattern, result["fingerprints"]["pattern"]);
  EXPECT_NE(contents(folder / "out/m.cu").find(format.design), std::string::npos);
  EXPECT_EQ(Sqlite((folder / "t.db").string()).integer("SELECT count(*) FROM measurement"),
            counted);
}

TEST_F(CliTune, OfATieTheCommandTheListAndBestNameOneWinner) {
  const double time_us = tune_json("m.mtx --trials 3")["time_us"];
  std::size_t place = 0;
  for (const double times : {1.015, 1.0, 0.999}) {  // each in a format of fewer bytes
    const std::string tied = canonical_named_designs(Target::gpu)[place++].text();
    {
      Database database = Database::open((folder / "t.db").string());
      const StoredProblem stored = database.problems().front();
      Measurement outcome = *stored.best;
      outcome.design = tied;
      outcome.created_at.clear();
      outcome.timing->time_us = times * time_us;
      --*outcome.format_bytes;
      const std::string run = database.begin_run(stored.problem, {0, 0, 0});
      database.record(run, outcome);
      database.finish(run, RunState::complete, 0, 0);
    }
    const json again = tune_json("m.mtx --trials 3");
    EXPECT_EQ(again["tier"], "exact");
    EXPECT_EQ(again["design"], tied) << times;
    const auto answer = [&](const std::string& question) {
      return json::parse(run_cli(folder, "db " + question + " --json --db t.db").out);
    };
    for (const char* const question : {"list", "best m", "best m.mtx"})
      EXPECT_EQ(answer(question)["problems"][0]["best"]["design"], tied) << question << times;
    EXPECT_EQ(answer("show m")["outcomes"][0]["design"], tied) << times;
    const std::string text = tune("m.mtx --trials 3 --explain --quiet").out;
    const std::size_t fastest = text.find(" vs best ");
    ASSERT_NE(fastest, std::string::npos) << text;
    EXPECT_EQ(text.find("  " + tied + "\n", fastest), text.find("  compress", fastest)) << text;
  }
}

TEST_F(CliTune, ADatabaseInTheWayOfItsFilesEndsItBeforeTheSearch) {
  std::filesystem::create_directory(folder / "on");
  for (const std::string name : {"on/m.cu", "on/m.safetensors"}) {
    const CliOutcome outcome =
        run_cli(folder, "tune m.mtx --device emulated:h200 --trials 2 --quiet -o on --db " + name);
    expect_error(outcome, 2, name + " is a database and is not overwritten; name another file");
    Database database = Database::open((folder / name).string());
    EXPECT_EQ(database.check(), "");
    EXPECT_TRUE(database.problems().empty()) << "a search has begun";
    std::filesystem::remove(folder / name);
  }
}

TEST_F(CliTune, AnswersAtOnceThenGoesOn) {
  const json first = tune_json("m.mtx --trials 2");
  const CliOutcome again = tune("m.mtx --trials 2 --json");
  const json second = json::parse(again.out);
  EXPECT_EQ(second["tier"], "exact");
  EXPECT_EQ(second["trials_now"], 0);
  EXPECT_EQ(second["design"], first["design"]);
  EXPECT_EQ(second["time_us"], first["time_us"]);
  EXPECT_NE(again.err.find("answered from the database"), std::string::npos) << again.err;
  const json more = tune_json("m.mtx --trials 4");
  EXPECT_EQ(more["tier"], "resumed");
  EXPECT_EQ(more["trials"], 4);
  EXPECT_EQ(more["trials_now"], 2);
  const json fresh = tune_json("m.mtx --trials 2 --fresh");
  EXPECT_EQ(fresh["tier"], "none");
  EXPECT_EQ(fresh["trials_now"], 2);
  EXPECT_EQ(tune_json("m.mtx --trials 2 --dtype f64")["tier"], "elsewhere") << "another problem";
}

TEST_F(CliTune, OtherValuesReuseTheDesign) {
  const json first = tune_json("m.mtx --trials 3");
  std::string other = small_matrix;
  other.replace(other.find("1.5"), 3, "9.5");
  set_contents(folder / "m.mtx", other);
  const json second = tune_json("m.mtx --trials 3");
  EXPECT_EQ(second["tier"], "pattern");
  EXPECT_EQ(second["design"], first["design"]);
  EXPECT_LE(second["trials_now"], 2);
  EXPECT_EQ(matrix_of(read_format_file(folder / "m.safetensors")).value.front(), 9.5);
}

TEST_F(CliTune, DeterministicForbidsAddingInAnyOrder) {
  // One row of 600 entries: csr5 cuts it, and its parts meet in an atomic addition.
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n1 600 600\n";
  for (int col = 1; col <= 600; ++col) text += fmt::format("1 {}\n", col);
  set_contents(folder / "m.mtx", text);
  const json result = tune_json("m.mtx --trials 20 --deterministic --explain");
  std::string reason;
  for (const json& outcome : result["outcomes"]) {
    if (outcome["design"] == resolve_design("csr5")) reason = outcome.value("reason", "");
  }
  EXPECT_NE(reason.find("--deterministic"), std::string::npos) << result.dump(1);
}

TEST_F(CliTune, QuietSaysNothingButTheResult) {
  const CliOutcome outcome = tune("m.mtx --trials 1 --quiet --json");
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(json::accept(outcome.out));
  const CliOutcome text = tune("m.mtx --trials 1 --explain");
  EXPECT_NE(text.out.find("modelled"), std::string::npos) << text.out;
}

TEST_F(CliTune, CtrlCLeavesTheBestSoFar) {
  const pid_t child = start_tune();
  kill(-child, SIGINT);  // as a terminal does: to the whole group
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const json result = json::parse(contents(folder / "killed.out"));
  EXPECT_EQ(result["interrupted"], true);
  EXPECT_GE(result["trials"], 3);
  EXPECT_FALSE(result["statuses"].contains("crash")) << "what Ctrl-C broke is forgotten";
  EXPECT_TRUE(std::filesystem::exists(folder / "killed/m.cu"));
  const json next = tune_json(fmt::format("m.mtx --trials {}", result["trials"].get<int>() + 1));
  EXPECT_EQ(next["tier"], "resumed");
  EXPECT_EQ(next["trials_now"], 1);
}

TEST_F(CliTune, InterruptedBeforeTheFirstResultNamesTheNextStep) {
  // A compiler that breaks the search off when it is first asked in earnest, and makes nothing; it
  // ends when the program has long been told.
  const std::string compiler = (folder / "compiler").string();
  set_contents(compiler, fmt::format("#!/bin/sh\ncd '{}'\nif [ -e t.db ]; then\n"
                                     "  mkdir told 2>/dev/null && kill -TERM $PPID\n"
                                     "  sleep 1\n  exit 1\nfi\ncd - >/dev/null\nexec g++ \"$@\"\n",
                                     folder.path().string()));
  std::filesystem::permissions(compiler, std::filesystem::perms(0755));
  const CliOutcome outcome =
      run_cli(folder, "tune m.mtx --device emulated:h200 --db t.db --quiet --time 20s",
              fmt::format("ALPHASPARSE_CXX='{}' ALPHASPARSE_CACHE=cache", compiler));
  expect_error(outcome, 3, "interrupted, no design was verified on emulated:h200");
  EXPECT_NE(outcome.err.find("; the same command goes on from here\n"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("nothing"), std::string::npos) << outcome.err;
}

TEST_F(CliTune, AClosingTerminalLeavesTheBestSoFar) {
  const pid_t child = start_tune();
  kill(-child, SIGHUP);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(json::parse(contents(folder / "killed.out"))["interrupted"], true);
}

TEST_F(CliTune, LosingTheTemporaryFolderLeavesTheBestSoFar) {
  const pid_t child = start_tune();
  std::filesystem::rename(folder / "tmp", folder / "gone");
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 4);
  const json result = json::parse(contents(folder / "killed.out"));
  EXPECT_GE(result["trials"], 3);
  EXPECT_TRUE(std::filesystem::exists(folder / "killed/m.cu"));
  const json next = tune_json(fmt::format("m.mtx --trials {}", result["trials"].get<int>() + 1));
  EXPECT_EQ(next["tier"], "resumed");
  EXPECT_EQ(next["trials_now"], 1);
}

TEST_F(CliTune, AKilledSearchResumes) {
  const pid_t child = start_tune();
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);
  Database database = Database::open((folder / "t.db").string());
  EXPECT_EQ(database.check(), "");
  const int before = trials((folder / "t.db").string());
  ASSERT_GE(before, 3);
  const json next = tune_json(fmt::format("m.mtx --trials {}", before + 1));
  EXPECT_EQ(next["tier"], "resumed");
  EXPECT_LE(next["trials_now"], before + 1 - 3) << "nothing is measured twice";
  EXPECT_GE(next["trials_now"], 1);
}

TEST_F(CliTune, WarningsStayOutOfTheResult) {
  const CliOutcome outcome =
      run_cli(folder, "emit m.mtx --design csr-scalar --device emulated:h200 --json",
              "env -u HOME -u XDG_CACHE_HOME -u ALPHASPARSE_CACHE");  // no place for a kernel cache
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(json::accept(outcome.out)) << outcome.out;
}

TEST_F(CliTune, ClosedAndFullStreamsLoseNothing) {
  const std::string command = fmt::format(
      "cd {} && {} tune m.mtx -o out --trials 1 --json --device emulated:h200 --db t.db",
      folder.path().string(), cli_program());
  EXPECT_EQ(run_command(command + " >&-").status, 2) << "the result cannot be told";
  EXPECT_EQ(read_format_file(folder / "out/m.safetensors").nnz, 7);
  for (const char* errors : {"2>&-", "2>/dev/full"}) {  // there is a note to lose: known already
    EXPECT_EQ(run_command(command + " >told " + errors).status, 0) << errors;
    EXPECT_TRUE(json::accept(contents(folder / "told"))) << errors;
  }
}

TEST_F(CliTune, EmitWritesOneDesign) {
  const CliOutcome outcome =
      run_cli(folder, "emit m.mtx --design csr5 -o e --device emulated:h200 --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["verified"], true);
  EXPECT_EQ(result["design"], read_format_file(folder / "e/m.safetensors").design);
  EXPECT_TRUE(std::regex_search(
      contents(folder / "e/m.cu"),
      std::regex("\n//   checked  by g\\+\\+ [0-9]+\\.[0-9.]+ on the emulator\n")));
}

TEST_F(CliTune, TheRemakeLineGivesTheSameFiles) {
  set_contents(folder / "it's a.mtx", small_matrix);
  struct Case {
    const char *arguments, *file;
  };
  const std::string design = "--design csr-scalar --device ";
  for (const auto& [arguments, file] :
       {Case{"emulated:a100", "it's a.cu"}, Case{"emulated:h200 --prefix own", "it's a.cu"},
        Case{"emulated:h200 --transpose --dtype f64", "it's a_T.cu"},
        Case{"emulated:h200 --transpose --name other", "other_T.cu"},
        Case{"cpu:1", "it's a.cpu.cpp"}, Case{"cpu:1 --name -n", "-n.cpu.cpp"}}) {
    const CliOutcome first =
        run_cli(folder, "emit \"it's a.mtx\" -o one " + design + std::string(arguments));
    ASSERT_EQ(first.status, 0) << first.err;
    const std::string text = contents(folder / "one" / file);
    std::smatch line;
    ASSERT_TRUE(std::regex_search(text, line, std::regex("//   remake   alphasparse (.*)\n")));
    const CliOutcome again = run_cli(folder, line[1].str() + " -o two");
    ASSERT_EQ(again.status, 0) << again.err << line[1];
    for (const auto& entry : std::filesystem::directory_iterator(folder / "one")) {
      EXPECT_EQ(contents(entry.path()), contents(folder / "two" / entry.path().filename()))
          << arguments << ": " << entry.path();
    }
    std::filesystem::remove_all(folder / "one");
    std::filesystem::remove_all(folder / "two");
  }
}

TEST_F(CliTune, EmitSaysWhatRoundingHasLost) {
  set_contents(folder / "tenth.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0.1\n2 2 0.5\n");
  const auto emit = [&](const std::string& choice) {
    return run_cli(folder,
                   "emit tenth.mtx -o e --device emulated:h200 --dtype f64 --json --design "
                   "'compress | thread_rows rows=1 | thread_total | global_store | compact "
                   "columns=full structure=full values=" +
                       choice + " | launch threads=32'");
  };
  const CliOutcome rounded = emit("rounded");
  ASSERT_EQ(rounded.status, 0) << rounded.err;
  EXPECT_NE(rounded.err.find("values are rounded to float, largest relative error 1.5e-08\n"),
            std::string::npos)
      << rounded.err;
  EXPECT_NEAR(json::parse(rounded.out)["value_error"].get<double>(), 1.49e-8, 1e-10);
  const CliOutcome single = emit("single");
  ASSERT_EQ(single.status, 0) << single.err;
  EXPECT_EQ(single.err, "");
  EXPECT_EQ(json::parse(single.out)["value_error"], 0);
}

TEST_F(CliTune, AnIllegalDesignIsRefusedWithOperatorAndReason) {
  for (const auto& [design, text] :
       {std::pair{"nope", "nope"}, std::pair{"compress | launch threads=32", "launch: "},
        std::pair{"compress | thread_rows rows=0", "rows"}, std::pair{"compress |", "column"}}) {
    expect_error(run_cli(folder, fmt::format("emit m.mtx --design '{}' -o e --device emulated:h200",
                                             design)),
                 2, text);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "e/m.cu"));
}

TEST_F(CliTune, VectorsThatMemoryCannotHoldAreRefused) {
  set_contents(folder / "wide.mtx",
               "%%MatrixMarket matrix coordinate real general\n1 2147483647 1\n1 1 1\n");
  expect_error(run_cli(folder, "emit wide.mtx --design csr-scalar --device emulated:h200",
                       "ulimit -v 8000000 &&"),
               4, "the host is out of memory: verifying it takes 34.4 GB");
}

TEST_F(CliTune, BadInputsEndWithTheirCodes) {
  expect_error(tune("missing.mtx"), 2, "missing.mtx");
  set_contents(folder / "big.mtx",
               "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e39\n");
  expect_error(tune("big.mtx"), 2, "is beyond float32; use --dtype f64");
  expect_error(tune("m.mtx -o /proc/nowhere"), 2, "cannot make folder /proc/nowhere");
  const std::string on_emulator = "tune m.mtx --device emulated:h200 --db ";
  expect_error(run_cli(folder, on_emulator + "/"), 5, "is not a file");
  expect_error(run_cli(folder, on_emulator + "m.mtx"), 5, "is not a tuning database");
  expect_error(run_cli(folder, "tune m.mtx --device emulated:h200",
                       "env -u HOME -u XDG_DATA_HOME -u ALPHASPARSE_DB"),
               5, "--db");
  expect_error(run_cli(folder, "tune m.mtx --device cuda:7 --db t.db"), 4, "cuda");
}

TEST_F(CliTune, ADatabaseThatBreaksEndsTheSearchWithItsResult) {
  const pid_t child = start_tune();
  Sqlite((folder / "t.db").string()).run_script("DROP TABLE measurement");
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 5);
  EXPECT_GE(json::parse(contents(folder / "killed.out"))["trials"], 3);
  EXPECT_TRUE(std::filesystem::exists(folder / "killed/m.cu"));
}

TEST_F(CliTune, AnEmulatorThatIsNoneIsNoFaultOfADesign) {
  std::ofstream(folder / "older") << "#!/bin/sh\nexit 2\n";  // as where it cannot read a job
  std::filesystem::permissions(folder / "older", std::filesystem::perms::owner_all);
  for (const std::string& program : {std::string("/bin/true"), (folder / "older").string()}) {
    const CliOutcome outcome =
        run_cli(folder, "tune m.mtx --device emulated:h200 --db t.db --trials 2",
                "ALPHASPARSE_EMULATOR=" + program);
    expect_error(outcome, 4, "ends without a verdict");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "t.db")) << "the search has not begun";
}

}  // namespace
}  // namespace alphasparse
