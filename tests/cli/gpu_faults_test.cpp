// cli_gpu_faults: faults of the fakes of GPUs on command, kernels that hang, and
// signals: each loses its own run and nothing else. ctest label: emulator
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

#include "operators/compact_passes.h"
#include "operators/named_designs.h"
#include "runtime/database/database.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/formats/format_file.h"
#include "runtime/system/sqlite.h"
#include "search/space/known_designs.h"
#include "tests/cli/gpu_fixture.h"
#include "tests/fakes/fake_faults.h"
#include "tests/fakes/fake_nvrtc.h"
#include "tests/support/cli.h"
#include "tests/support/fake_gpu.h"
#include "tests/support/processes.h"

namespace alphasparse {
namespace {

/// The outcome of a named design under each of the script's faults.
struct Fate {
  const char* name;
  const char* fault;
  const char* status;
  const char* reason;  ///< how it begins
};

class CliGpuFaults : public CliGpu, public testing::WithParamInterface<const FakeMaker*> {
 protected:
  CliGpuFaults() : CliGpu(*GetParam()) {}
};

INSTANTIATE_TEST_SUITE_P(, CliGpuFaults, testing::Values(&cuda_maker, &hip_maker),
                         [](const auto& info) { return info.param->kind->device; });

TEST_P(CliGpuFaults, LoseTheirDesignsAlone) {
  const FakeMaker& maker = *GetParam();
  const std::string compile_error = fmt::format("{} for {}: line 1: ", maker.compiler, maker.arch);
  const Fate fates[] = {
      {"row-grouped-csr", "short_memory:block_rows rows=128", "crash", "copying array value: "},
      {"ell", "out_of_memory:thread_pad", "out_of_memory", "taking 16 bytes for x: "},
      {"csr5", "crash:thread_bitmap", "crash",
       "the device's worker was ended by signal 11 (Segmentation fault)"},
      {"merge-csr", "hang:thread_merge", "timeout", "no answer within 4 s; "},
      {"csr-stream", "wrong_later:shared_offset | global_store", "wrong_result",
       "wrong result in case 'rounded': "},
      {"acsr", "compile_error:bin_rows", "compile_error", compile_error.c_str()},
      {"jds", "wrong:by=ragged", "wrong_result", "wrong result in case 'exact 1': "},
      {"coo", "illegal_address:global_atomic", "crash", "case exact 1: kernel spmv_init: "},
  };
  std::string faults, names;
  for (const Fate& fate : fates) {
    faults += fmt::format("{}{}", faults.empty() ? "" : ";", fate.fault);
    names += fmt::format("{},", fate.name);
  }
  script(faults);
  setenv("ALPHASPARSE_KERNEL_SECONDS", "4", 1);  // for those that do not hang, at any load
  const CliOutcome bench = run_cli(
      folder, fmt::format("bench m.mtx --json --device {} --designs {}csr-scalar,csr-vector",
                          maker.kind->device, names));
  EXPECT_EQ(bench.status, 0) << bench.err;
  std::map<std::string, json> outcomes;
  const json designs = json::parse(bench.out)["matrices"][0]["designs"];
  for (const json& outcome : designs) outcomes[outcome["name"]] = outcome;
  for (const Fate& fate : fates) {
    const json outcome = outcomes[fate.name];
    EXPECT_EQ(outcome["status"], fate.status) << fate.name << outcome;
    EXPECT_TRUE(outcome.value("reason", "").starts_with(fate.reason)) << outcome;
  }
  for (const char* const name : {"csr-scalar", "csr-vector"})
    EXPECT_EQ(outcomes[name]["status"], "ok") << name;
}

TEST_F(CliGpu, ASearchAmongFaultsEndsWithWhatIsRight) {
  const std::vector<std::string> faulty = {"thread_pad", "thread_bitmap", "bin_rows"};
  script("out_of_memory:thread_pad;crash:thread_bitmap;compile_error:bin_rows");
  const json result = tune("--trials 15 -o out");
  EXPECT_GT(searched(result), 0);
  for (const json& outcome : result["outcomes"]) {
    const auto design = outcome["design"].get<std::string>();
    const bool is_faulty = std::any_of(faulty.begin(), faulty.end(), [&](const std::string& words) {
      return design.find(words) != std::string::npos;
    });
    if (!is_faulty) continue;
    EXPECT_NE(outcome["status"], "ok") << outcome;
    EXPECT_FALSE(is_recorded_as_verified(design)) << outcome;
  }
  EXPECT_EQ(by_design(result)[result["design"]]["status"], "ok");
  EXPECT_TRUE(std::filesystem::exists(folder / "out/m.cu"));
}

TEST_F(CliGpu, AMemoryThatOthersHaveTakenIsNoFactAboutADesign) {
  script("crowded:thread_pad");
  const json result = tune("--trials 15 -o out");
  EXPECT_GT(result["skipped"], 0);
  EXPECT_FALSE(result["statuses"].contains("out_of_memory")) << result["statuses"];
  for (const json& outcome : result["outcomes"]) {
    const bool is_padded =
        outcome["design"].get<std::string>().find("thread_pad") != std::string::npos;
    EXPECT_TRUE(!is_padded || outcome["status"] == "pruned") << outcome;
  }
  script("");
  const json again = tune("--trials 15 -o out");
  EXPECT_EQ(again["skipped"], 0);
}

TEST_F(CliGpu, AnErrorThatIsPendingLosesNone) {
  script("pending_error:thread_merge");
  const CliOutcome outcome = run("bench m.mtx --designs merge-csr,csr5,csr-vector --json");
  const json designs = json::parse(outcome.out)["matrices"][0]["designs"];
  ASSERT_EQ(designs.size(), 3U);
  EXPECT_EQ(designs[0]["status"], "ok") << "nobody knows yet";
  EXPECT_EQ(designs[1]["status"], "ok") << "it had no part in that: " << designs[1];
  EXPECT_EQ(designs[2]["status"], "ok") << "in a new worker";
}

TEST_F(CliGpu, TwoCrashesBanAStructure) {
  // Many structures crash, each in whichever variant is its first, so that order does not matter.
  script("crash:thread_cols;crash:thread_nnz;crash:thread_merge;crash:thread_pad");
  const json result = tune("--trials 60");
  KnownDesigns known;
  std::map<std::string, int> crashes;
  for (const json& outcome : result["outcomes"]) {
    const auto design = outcome["design"].get<std::string>();
    if (outcome["status"] == "crash") ++crashes[known.find_structure(design)];
  }
  int most = 0;
  for (const auto& [structure, count] : crashes) most = std::max(most, count);
  EXPECT_EQ(most, 2);
  EXPECT_EQ(by_design(result)[result["design"]]["status"], "ok");
}

TEST_F(CliGpu, AWorkerThatIsKilledLosesNothing) {
  script_a_hang();
  const pid_t program = start_tune("--trials 60 --time 10m -o out");
  std::set<std::string> before;
  pid_t killed = -1;
  for (int time = 0; time < 2; ++time) {
    ASSERT_TRUE(wait_for_more_than(before.size() + 1)) << "the search does not go on";
    let_hang();
    const pid_t worker = wait_for_hang(killed);
    ASSERT_GT(worker, 0);
    EXPECT_FALSE(process_exists(killed)) << "nobody has waited for it";
    EXPECT_EQ(started().size(), 3U) << "the program, its fork server and its worker";
    before = recorded();
    let_go();
    kill(worker, SIGKILL);
    killed = worker;
  }
  EXPECT_EQ(wait_for(program), 0) << contents(folder / "errors");

  const json result = json::parse(contents(folder / "told"));
  EXPECT_FALSE(result["statuses"].contains("crash")) << "no kernel did that";
  EXPECT_EQ(result["skipped"], 0) << "what it ran was run once more";
  EXPECT_EQ(searched(result), 60);
  EXPECT_TRUE(is_recorded_as_verified(result["design"]));
  const std::set<std::string> after = recorded();
  for (const std::string& key : before) EXPECT_TRUE(after.contains(key));
  EXPECT_EQ(after.size(), result["outcomes"].size());
  EXPECT_EQ(Database::open((folder / "t.db").string()).check(), "");
}

TEST_F(CliGpu, CtrlCEndsAHangAtOnce) {
  script_a_hang();
  const pid_t program = start_tune("-o out");
  ASSERT_TRUE(wait_for_more_than(0));
  let_hang();
  ASSERT_GT(wait_for_hang(), 0);
  const std::size_t before = recorded().size();
  kill(-program, SIGINT);  // as a terminal does: to the group, of which the worker is none
  EXPECT_EQ(wait_for(program), 0) << contents(folder / "errors");
  const json result = json::parse(contents(folder / "told"));
  EXPECT_EQ(result["interrupted"], true);
  EXPECT_EQ(result["outcomes"].size(), before) << "what hung may still be right";
  EXPECT_TRUE(std::filesystem::exists(folder / "out/m.cu"));
}

TEST_F(CliGpu, AKilledProgramTakesItsWorkerAlong) {
  script_a_hang();
  const pid_t program = start_tune("-o out");
  ASSERT_TRUE(wait_for_more_than(0));
  let_hang();
  const pid_t worker = wait_for_hang();
  ASSERT_GT(worker, 0);
  const std::size_t before = recorded_trials();
  kill(program, SIGKILL);
  EXPECT_EQ(wait_for(program), -1);
  EXPECT_TRUE(comes_true([&] { return process_name(worker).empty(); }));
  let_go();
  const json next = tune(fmt::format("--trials {}", before + 1));
  EXPECT_EQ(next["tier"], "resumed");
  EXPECT_EQ(searched(next, "trials_now"), 1);
}

TEST_F(CliGpu, WhatIsWrongWithTheEnvironmentIsTold) {
  setenv("ALPHASPARSE_KERNEL_SECONDS", "soon", 1);
  const CliOutcome seconds = run("emit m.mtx --design csr5");
  EXPECT_EQ(seconds.status, 2);
  EXPECT_EQ(seconds.err,
            "alphasparse: error: ALPHASPARSE_KERNEL_SECONDS wants a positive number, not "
            "\"soon\"\n");
  unsetenv("ALPHASPARSE_KERNEL_SECONDS");
  setenv("ALPHASPARSE_LIBNVRTC", "/nowhere/libnvrtc.so", 1);
  const CliOutcome compiler = run("emit m.mtx --design csr5");
  EXPECT_EQ(compiler.status, 4);
  EXPECT_NE(compiler.err.find("cuda:0: NVRTC is missing: looked for /nowhere/libnvrtc.so"),
            std::string::npos)
      << compiler.err;
}

}  // namespace
}  // namespace alphasparse
