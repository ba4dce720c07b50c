// cli_fail_call: one call of one function fails somewhere under `tune`; the rows that it leaves
// behind must say nothing of designs. ctest label: emulator
//
// A fixed list of cases; with ALPHASPARSE_LONG every call up to the 200th of each function and kind
// of process. Each run ends in time with exit 0, 2, 4 or 5, and with one line where it is not 0.
// The same command without the fault then finds the result of a new database.
#include <errno.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/system/stopwatch.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A function, and how it fails.
struct Failing {
  const char* function;
  int error;
};

struct Case {
  Failing failing;
  const char* process;
  long number = 1;
};

/// The results of the cases of one function and process.
struct Row {
  long calls_most = 0;
  std::map<std::string, int> ends;  ///< "exit 4" -> how often
};

using Asked = std::tuple<const char*, const char*>;  // device, function

class CliFailCall : public ::testing::TestWithParam<Asked> {
 protected:
  CliFailCall() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n"
                 "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n");
  }

  CliOutcome tune(const std::string& device, const std::string& preloaded = "") {
    const std::string environment =
        fmt::format("env TMPDIR='{0}' XDG_CACHE_HOME='{0}/cache' {1} timeout 120",
                    folder.path().string(), preloaded);
    // Modelled searches end with their trials, however slow the machine is.
    const char* const time = device.starts_with("emulated") ? "60" : "1";
    return run_cli(folder,
                   fmt::format("tune m.mtx --trials 2 --time {} --seed 1 --device {} --db t.db "
                               "-o o --json --quiet",
                               time, device),
                   environment);
  }

  /// Compiled kernels stay from case to case where `keeps` says so: those of the peers on CPUs take
  /// seconds.
  void forget(bool keeps) {
    for (const char* const name : {"t.db", "t.db-wal", "t.db-shm", "o"})
      fs::remove_all(folder / name);
    if (!keeps) fs::remove_all(folder / "cache");
  }

  long run_with(const std::string& device, const Case& one, CliOutcome& outcome) {
    const std::string count = (folder / "count").string();
    set_contents(count, std::string(sizeof(long), '\0'));
    outcome =
        tune(device,
             fmt::format("LD_PRELOAD='{}' FAIL_CALL='{} {} {} {}' FAIL_CALL_COUNT='{}'", FAIL_CALL,
                         one.failing.function, one.number, one.failing.error, one.process, count));
    long calls = 0;
    std::ifstream(count, std::ios::binary).read(reinterpret_cast<char*>(&calls), sizeof calls);
    return calls;
  }

  /// The same again must be as if nothing had been.
  void expect_nothing_left(const std::string& device, const json& clean) {
    const CliOutcome again = tune(device);
    ASSERT_EQ(again.status, 0) << again.err;
    const json result = json::parse(again.out);
    if (device.starts_with("emulated")) {
      for (const char* const what : {"statuses", "design", "time_us"})
        EXPECT_EQ(result[what], clean[what]) << what;
      return;
    }
    for (const auto& [status, found] : result["statuses"].items())
      EXPECT_TRUE(status == "ok" || status == "duplicate" || status == "pruned") << status;
  }

  /// False where no call was so late.
  bool check(const std::string& device, const Case& one, const json& clean) {
    SCOPED_TRACE(fmt::format("{} {}: call {} of {} fails: {}", device, one.process, one.number,
                             one.failing.function, std::strerror(one.failing.error)));
    forget(device.starts_with("cpu"));
    CliOutcome outcome;
    const long calls = run_with(device, one, outcome);
    Row& row = rows[fmt::format("{:<15} {:<9}", one.failing.function, one.process)];
    row.calls_most = std::max(row.calls_most, calls);
    const bool is_reached = calls >= one.number;
    ++row.ends[is_reached ? fmt::format("exit {}", outcome.status) : "not reached"];
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 2 || outcome.status == 4 ||
                outcome.status == 5)
        << outcome.status << ": " << outcome.err;
    const std::string line = "alphasparse: error: ";
    const auto first = outcome.err.find(line);
    EXPECT_EQ(first == std::string::npos, outcome.status == 0) << outcome.err;
    EXPECT_EQ(outcome.err.find(line, first + (first == std::string::npos ? 0 : 1)),
              std::string::npos)
        << outcome.err;
    expect_nothing_left(device, clean);
    return is_reached;
  }

  /// Every call of a kind of process, as far as the time of a test goes.
  void check_every(const std::string& device, Case one, const json& clean) {
    constexpr long calls_most = 200;
    constexpr double seconds_most = 170;  // for each of three kinds of process
    const Stopwatch clock;
    for (; one.number <= calls_most && check(device, one, clean); ++one.number) {
      if (clock.seconds() < seconds_most) continue;
      fmt::print("{} {} {}: the time was over after call {}\n", device, one.process,
                 one.failing.function, one.number);
      return;
    }
  }

  void tell(const std::string& device) const {
    for (const auto& [call, row] : rows) {
      std::string ends;
      for (const auto& [end, times] : row.ends)
        ends += fmt::format("{}{} {}", ends.empty() ? "" : ", ", times, end);
      fmt::print("{:<14} {} {:>5} calls: {}\n", device, call, row.calls_most, ends);
    }
  }

  TestFolder folder;
  std::map<std::string, Row> rows;
};

/// Calls that are reached, but for the last of some.
struct Few {
  const char* device;
  Failing failing;
  const char* process;
  std::vector<long> numbers;
};

const std::vector<Few> few = {
    {"emulated:h200", {"open", EMFILE}, "program", {1, 3, 12}},
    {"emulated:h200", {"open", EIO}, "program", {8}},
    {"emulated:h200", {"open", EMFILE}, "compiler", {3, 12, 60}},
    {"emulated:h200", {"open64", EACCES}, "program", {1, 3}},
    {"emulated:h200", {"openat", ENFILE}, "program", {1}},
    {"emulated:h200", {"fopen", EMFILE}, "program", {2}},
    {"emulated:h200", {"fopen", EMFILE}, "worker", {1, 4}},
    {"emulated:h200", {"fopen", EMFILE}, "compiler", {1, 6}},
    {"emulated:h200", {"write", ENOSPC}, "program", {1, 7}},
    {"emulated:h200", {"write", EDQUOT}, "program", {10}},
    {"emulated:h200", {"mkdir", EROFS}, "program", {1}},
    {"emulated:h200", {"rename", EIO}, "program", {1, 3}},
    {"emulated:h200", {"execve", EACCES}, "program", {1, 2, 6}},
    {"emulated:h200", {"posix_spawn", EAGAIN}, "compiler", {1}},
    {"emulated:h200", {"dlopen", ENOMEM}, "program", {1}},
    {"emulated:h200", {"dlopen", ENOMEM}, "worker", {1, 5}},
    {"emulated:h200", {"dlopen", ENOMEM}, "compiler", {1, 3}},
    {"emulated:h200", {"mmap", ENOMEM}, "program", {1}},
    {"emulated:h200", {"mmap", ENOMEM}, "worker", {1, 30}},
    {"emulated:h200", {"mmap", ENOMEM}, "compiler", {12, 40}},
    {"emulated:h200", {"fork", EAGAIN}, "worker", {1}},
    {"emulated:h200", {"pthread_create", EAGAIN}, "program", {1, 2}},
    {"cpu:1", {"open", EMFILE}, "program", {1}},
    {"cpu:1", {"open", EMFILE}, "worker", {1, 4, 9}},
    {"cpu:1", {"open", EACCES}, "compiler", {4, 40}},
    {"cpu:1", {"open64", EACCES}, "program", {1}},
    {"cpu:1", {"openat", ENFILE}, "worker", {1}},
    {"cpu:1", {"fopen", EMFILE}, "program", {1}},
    {"cpu:1", {"fopen", EMFILE}, "worker", {4}},
    {"cpu:1", {"fopen", EMFILE}, "compiler", {4}},
    {"cpu:1", {"write", ENOSPC}, "program", {1}},
    {"cpu:1", {"write", EDQUOT}, "worker", {1, 2}},
    {"cpu:1", {"mkdir", EROFS}, "program", {1}},
    {"cpu:1", {"rename", EIO}, "program", {4}},
    {"cpu:1", {"rename", EIO}, "worker", {1}},
    {"cpu:1", {"execve", EACCES}, "worker", {1, 2}},
    {"cpu:1", {"posix_spawn", EAGAIN}, "compiler", {1}},
    {"cpu:1", {"dlopen", ENOMEM}, "worker", {1, 2, 4}},
    {"cpu:1", {"mmap", ENOMEM}, "program", {1}},
    {"cpu:1", {"mmap", ENOMEM}, "worker", {1, 4}},
    {"cpu:1", {"fork", EAGAIN}, "program", {1}},
    {"cpu:1", {"fork", EAGAIN}, "worker", {1}},
    {"cpu:1", {"pthread_create", EAGAIN}, "program", {1}},
    {"cpu:1", {"pthread_create", EAGAIN}, "worker", {1}},
};

TEST_P(CliFailCall, LeavesNothingBehind) {
  const auto [device, function] = GetParam();
  const CliOutcome first = tune(device);
  ASSERT_EQ(first.status, 0) << first.err;
  const json clean = json::parse(first.out);
  const bool is_long = std::getenv("ALPHASPARSE_LONG") != nullptr;
  int error = 0;
  for (const Few& some : few) {
    if (std::string_view(some.device) != device ||
        std::string_view(some.failing.function) != function)
      continue;
    error = some.failing.error;
    for (const long number : some.numbers) {
      if (!is_long) check(device, {some.failing, some.process, number}, clean);
    }
  }
  ASSERT_NE(error, 0) << "no case";
  if (is_long) {
    for (const char* const process : {"program", "worker", "compiler"})
      check_every(device, {{function, error}, process}, clean);
  }
  tell(device);
}

INSTANTIATE_TEST_SUITE_P(
    Calls, CliFailCall,
    ::testing::Combine(::testing::Values("emulated:h200", "cpu:1"),
                       ::testing::Values("open", "open64", "openat", "fopen", "write", "mkdir",
                                         "rename", "execve", "posix_spawn", "dlopen", "mmap",
                                         "fork", "pthread_create")),
    [](const auto& info) {
      const bool emulated = std::string_view(std::get<0>(info.param)).starts_with("emulated");
      return fmt::format("{}_{}", std::get<1>(info.param), emulated ? "emulated" : "cpu");
    });

}  // namespace
}  // namespace alphasparse
