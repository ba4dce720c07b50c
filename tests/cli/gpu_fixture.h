// gpu_fixture: the command line on fakes of NVIDIA's libraries, and the functions of its tests.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/result.h"
#include "operators/compact_passes.h"
#include "operators/named_designs.h"
#include "runtime/database/database.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/formats/format_file.h"
#include "runtime/system/sqlite.h"
#include "search/space/prune_rules.h"
#include "tests/fakes/fake_faults.h"
#include "tests/fakes/fake_nvrtc.h"
#include "tests/support/cli.h"
#include "tests/support/fake_gpu.h"
#include "tests/support/processes.h"

namespace alphasparse {

using nlohmann::json;

inline constexpr const char* small_matrix_file =
    "%%MatrixMarket matrix coordinate real general\n"
    "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n";

class CliGpu : public FakeGpuTest {
 protected:
  explicit CliGpu(const FakeMaker& maker = cuda_maker) : FakeGpuTest(maker) {
    set_contents(folder / "m.mtx", small_matrix_file);
    setenv("TMPDIR", folder.path().c_str(), 1);
  }
  ~CliGpu() override {
    unsetenv("TMPDIR");
    unsetenv("ALPHASPARSE_KERNEL_SECONDS");
    unsetenv("FAKE_GPU_HANGS_WHILE");
    unsetenv("FAKE_VENDOR_SECONDS");
    unsetenv("FAKE_VENDOR_CROWDED_US");
  }
  void TearDown() override {
    EXPECT_TRUE(comes_true([&] { return started().empty(); })) << "a process is left";
  }

  static constexpr const char* tune_words = " --device cuda:0 --db t.db --json --explain ";

  /// The processes of the program that this test has started.
  std::vector<pid_t> started() const {
    std::vector<pid_t> processes = processes_with(folder.path());
    std::erase_if(processes, [](pid_t process) {  // they tidy up once the others are gone
      return process_name(process).starts_with("alphasparse-tid");
    });
    return processes;
  }

  CliOutcome run(const std::string& arguments) {
    return run_cli(folder, arguments + " --device cuda:0");
  }

  json tune(const std::string& arguments) {
    const CliOutcome outcome = run_cli(folder, "tune m.mtx" + (tune_words + arguments));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out);
  }

  /// Starts a search with output to the file "told".
  pid_t start_tune(const std::string& arguments) {
    return start_command(folder.path(), fmt::format("{} tune m.mtx {} {} >told 2>errors",
                                                    cli_program(), tune_words, arguments));
  }

  /// Waits for the program's end; its exit status, or -1 where a signal ended it.
  static int wait_for(pid_t program) {
    int status = 0;
    waitpid(program, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// A process, other than `before`, with a kernel that hangs; -1 where there is none after a
  /// while.
  pid_t wait_for_hang(pid_t before = -1) const {
    pid_t found = -1;
    comes_true(
        [&] {
          for (const pid_t process : started()) {
            if (process != before && process_name(process) == fake_hang_name) found = process;
          }
          return found > 0;
        },
        60);
    return found;
  }

  /// From now on the next kernel of any design hangs, but not before let_hang().
  void script_a_hang() {
    script("hang:launch");
    setenv("FAKE_GPU_HANGS_WHILE", hang_file().c_str(), 1);
    setenv("ALPHASPARSE_KERNEL_SECONDS", "60", 1);
  }
  std::string hang_file() const { return (folder / "hang").string(); }
  void let_hang() const { set_contents(hang_file(), ""); }
  void let_go() const { std::filesystem::remove(hang_file()); }

  /// Waits until a search has recorded more outcomes than so many.
  bool wait_for_more_than(std::size_t trials) const {
    const auto are_more = [&] {
      try {
        return std::filesystem::exists(folder / "t.db") && recorded().size() > trials;
      } catch (const Error&) {  // it has no tables yet
        return false;
      }
    };
    return comes_true(are_more, 60);
  }

  /// The keys of all outcomes of designs: neither of the vendor's algorithms nor of the finals.
  std::set<std::string> recorded() const { return recorded_where("1"); }

  /// How many of them count as trials (counts_as_trial).
  std::size_t recorded_trials() const {
    return recorded_where("status NOT IN ('pruned', 'duplicate')").size();
  }

  std::set<std::string> recorded_where(const std::string& condition) const {
    const Sqlite database((folder / "t.db").string());
    SqlStatement rows(
        database,
        "SELECT measurement.key FROM measurement JOIN run ON run.key = run JOIN problem ON "
        "problem.key = problem WHERE options <> 'vendor' AND coalesce(rounds, 0) = 0 AND " +
            condition);
    std::set<std::string> keys;
    while (rows.step()) keys.insert(rows.text(0));
    return keys;
  }

  /// How many of the vendor's algorithms were tried, or met ours in the finals.
  int baseline_trials(bool in_finals = false) const {
    const Sqlite database((folder / "t.db").string());
    SqlStatement rows(
        database,
        "SELECT 1 FROM measurement JOIN run ON run.key = run JOIN problem "
        "ON problem.key = problem WHERE options = 'vendor' AND (coalesce(rounds, 0) > 0) = ?1");
    rows.bind(std::int64_t{in_finals});
    int count = 0;
    while (rows.step()) ++count;
    return count;
  }

  /// Designs of ours that met in finals, by when those were over, with their times in us.
  std::map<std::string, std::map<std::string, double>> finals() const {
    const Sqlite database((folder / "t.db").string());
    SqlStatement rows(
        database,
        "SELECT measurement.created_at, design.text, time_us FROM measurement "
        "JOIN design ON design.key = measurement.design JOIN run ON run.key = run "
        "JOIN problem ON problem.key = problem WHERE options <> 'vendor' AND rounds > 0");
    std::map<std::string, std::map<std::string, double>> finals;
    while (rows.step()) finals[rows.text(0)][rows.text(1)] = rows.real(2);
    return finals;
  }

  bool is_recorded_as_verified(const std::string& design) const {
    const Sqlite database((folder / "t.db").string());
    SqlStatement rows(database,
                      "SELECT 1 FROM measurement JOIN design ON design.key = measurement.design "
                      "WHERE design.text = ?1 AND verified = 1 AND status = 'ok'");
    return rows.bind(design).step();
  }

  /// The design with its values as they are.
  static std::string without_coded_values(const std::string& design) {
    return print_design(without_pass(*parse_design(design), "values"));
  }

  /// Trials but those that explain the winner.
  static int searched(const json& result, const char* count = "trials") {
    return result[count].get<int>() - result["explanation"]["trials"].get<int>();
  }

  static std::map<std::string, json> by_design(const json& result) {
    std::map<std::string, json> outcomes;
    for (const json& outcome : result["outcomes"]) outcomes[outcome["design"]] = outcome;
    return outcomes;
  }
};

}  // namespace alphasparse
