// cli_gpu_suite: the script that tries a GPU, on fakes of NVIDIA's libraries - its options, and
// the files that a cut leaves. ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/gpu_fixture.h"
#include "tests/support/cli.h"
#include "tests/support/fake_gpu.h"
#include "tests/support/processes.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

class CliGpuSuite : public FakeGpuTest {
 protected:
  CliGpuSuite() { set_contents(folder / "m.mtx", small_matrix_file); }

  static std::string script() {
    return fmt::format("'{}/tools/gpu_suite'", ALPHASPARSE_SOURCE_DIR);
  }
  CommandOutcome run(const std::string& arguments) {
    return run_command(
        fmt::format("cd '{}' && {} {} 2>&1", folder.path().string(), script(), arguments));
  }
};

TEST_F(CliGpuSuite, WrongOptionsEndItBeforeAnyWork) {
  for (const auto& [arguments, text] : {
           std::pair{"--dtype f16 m.mtx", "--dtype is f32 or f64, not 'f16'"},
           std::pair{"--cache hot", "--cache is warm or cold, not 'hot'"},
           std::pair{"--time 5m", "--time is a number of seconds, not '5m'"},
           std::pair{"--twins", "--twins needs a value"},
           std::pair{"--all", "there is no option --all"},
       }) {
    const CommandOutcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    EXPECT_NE(outcome.output.find(text), std::string::npos) << outcome.output;
  }
  EXPECT_FALSE(fs::exists(folder / "gpu_suite-results"));
}

TEST_F(CliGpuSuite, NoProgramOfTheCurrentFolderIsStarted) {
  for (const char* const name : {"nproc", "nvidia-smi", "nvcc", "find", "date"}) {
    set_contents(folder / name, "#!/bin/sh\necho ran >> ran\n");
    fs::permissions(folder / name, fs::perms::owner_all);
  }
  const CommandOutcome outcome = run_command(fmt::format(
      "cd '{}' && PATH=.::$PATH {} --device cuda:7 m.mtx 2>&1", folder.path().string(), script()));
  EXPECT_EQ(outcome.status, 4) << outcome.output;
  EXPECT_FALSE(fs::exists(folder / "ran")) << contents(folder / "ran");
}

TEST_F(CliGpuSuite, AMissingDeviceAndMissingMatricesAreNamed) {
  const CommandOutcome device = run("--device cuda:7 m.mtx");
  EXPECT_EQ(device.status, 4) << device.output;
  EXPECT_NE(device.output.find("cuda:7 is not there; alphasparse devices says:"), std::string::npos)
      << device.output;
  const CommandOutcome matrix = run("nobody.mtx");
  EXPECT_EQ(matrix.status, 2) << matrix.output;
  EXPECT_NE(matrix.output.find("nobody.mtx is neither a file nor a folder"), std::string::npos)
      << matrix.output;
}

/// An archive in `folder` whose program is this script, with tools that hang in PATH.
class CliGpuSuiteArchive : public CliGpuSuite {
 protected:
  CliGpuSuiteArchive() {
    const fs::path tools = fs::path(ALPHASPARSE_SOURCE_DIR) / "tools";
    for (const char* const part : {"bin", "libexec/alphasparse", "tools"})
      fs::create_directories(folder / part);
    fs::copy_file(tools / "gpu_suite", folder / "bin/gpu_suite");
    for (const char* const name : {"nvidia-smi", "compute-sanitizer"}) hang(name);
  }
  void add(const std::string& name, const std::string& commands) {
    set_contents(folder / name, "#!/bin/sh\n" + commands + "\n");
    fs::permissions(folder / name, fs::perms::owner_all);
  }
  void hang(const std::string& tool) { add("tools/" + tool, "exec sleep 1000"); }

  /// The suite, ended after `seconds` with the status 137.
  CommandOutcome run_for(int seconds, const std::string& arguments) {
    return run_command(
        fmt::format("cd '{0}' && PATH='{0}/tools':$PATH timeout -s KILL {1} "
                    "bin/gpu_suite {2} m.mtx 2>&1",
                    folder.path().string(), seconds, arguments));
  }
};

TEST_F(CliGpuSuiteArchive, FactsThatDoNotComeAreGivenUp) {
  add("bin/alphasparse", "[ \"$1\" = devices ] && exec sleep 1000 || exit 0");
  const CommandOutcome outcome = run_for(60, "--time 30");
  EXPECT_EQ(outcome.status, 4) << outcome.output;
  EXPECT_NE(outcome.output.find("devices ended with 124 (124: no answer within 5 s)"),
            std::string::npos)
      << outcome.output;
}

TEST_F(CliGpuSuiteArchive, RunsUnderTheSanitizerTakeNoLongerThanTheirPart) {
  set_contents(folder / "tools/nvidia-smi", "");
  add("bin/alphasparse", "[ \"$1\" = devices ] && echo 'cuda:0   available' || exit 0");
  add("libexec/alphasparse/sanitized", "exec sleep 1000");
  add("libexec/alphasparse/gpu_planted_fault", "exit 1");
  const CommandOutcome outcome = run_for(45, "--twins none --time 60");
  EXPECT_EQ(outcome.status, 1) << outcome.output;  // 15 % are 9 s; each run may take 40 s
  EXPECT_NE(outcome.output.find("a planted fault, racecheck: "), std::string::npos)
      << outcome.output;
}

// Times of the named designs are there as soon as a matrix has them, long before the end.
TEST_F(CliGpuSuite, ACutLeavesTheTimesOfTheNamedDesigns) {
  const pid_t suite = start_command(
      folder.path(), script() + " -o results --twins none --time 200 m.mtx >told 2>&1");
  const fs::path bench = folder / "results/bench.json";
  const bool there = comes_true([&] { return fs::exists(bench); }, 120);
  kill(-suite, SIGKILL);
  int status = 0;
  waitpid(suite, &status, 0);
  ASSERT_TRUE(there) << contents(folder / "told");
  const auto json = nlohmann::json::parse(contents(bench));
  ASSERT_EQ(json["matrices"].size(), 1u);
  EXPECT_EQ(json["kind"], "measured");
  EXPECT_NE(contents(folder / "results/facts.txt").find("Fake GPU"), std::string::npos);
  EXPECT_NE(contents(folder / "results/log.txt").find("smoke (at "), std::string::npos);
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder / "results")) {
    EXPECT_TRUE(entry.is_regular_file()) << entry.path();
    ++files;
  }
  EXPECT_LE(files, 8);
}

}  // namespace
}  // namespace alphasparse
