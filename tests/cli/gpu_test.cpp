// cli_gpu: tune, bench and emit on a GPU, from the matrix file to the files and the database. The
// worker, the compile cache, verification and timing take part. Fakes of NVIDIA's libraries stand
// in the GPU's place; they also fail on command. ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "operators/named_designs.h"
#include "runtime/device/baseline_kernels.h"
#include "tests/cli/gpu_fixture.h"
#include "tests/fakes/fake_faults.h"
#include "tests/fakes/fake_nvrtc.h"
#include "tests/support/cli.h"
#include "tests/support/fake_gpu.h"
#include "tests/support/processes.h"
#include "tests/support/read_format.h"

namespace alphasparse {
namespace {

TEST_F(CliGpu, TuneMeasuresVerifiesAndRemembers) {
  const json first = tune("--trials 20 -o out");
  EXPECT_EQ(first["device"], "cuda:0");
  EXPECT_EQ(first["gpu"]["name"], "Fake GPU");
  EXPECT_EQ(first["kind"], "measured");
  EXPECT_EQ(first["tier"], "none");
  EXPECT_EQ(searched(first), 20);
  EXPECT_EQ(first["statuses"]["ok"], first["trials"]);
  const json winner = by_design(first)[first["design"]];
  EXPECT_EQ(winner["status"], "ok");
  EXPECT_EQ(winner["registers"], fake_registers);
  EXPECT_GE(first["time_us"], 1);
  EXPECT_GE(1.02 * first["pfs"]["time_us"].get<double>(), first["time_us"])
      << "never worse than the named designs, but for ties";
  const FormatFile format = read_format_file(folder / "out/m.safetensors");
  EXPECT_EQ(format.design, first["design"]);
  EXPECT_NE(contents(folder / "out/m.cu").find(format.design), std::string::npos);
  EXPECT_EQ(recorded().size(), first["outcomes"].size());
  EXPECT_TRUE(is_recorded_as_verified(first["design"]));

  // Without --explain: an explanation that time has cut short goes on, and may find a better one.
  const json again =
      json::parse(run_cli(folder, "tune m.mtx --device cuda:0 --db t.db --json --trials 20").out);
  EXPECT_EQ(again["tier"], "exact");
  EXPECT_EQ(again["design"], first["design"]);
  EXPECT_EQ(again["time_us"], first["time_us"]);
  EXPECT_EQ(again["vendor"], first["vendor"]);
  const json more = tune("--trials 23");
  EXPECT_EQ(more["tier"], "resumed");
  EXPECT_EQ(more["trials"], again["trials"].get<int>() + more["trials_now"].get<int>());
  EXPECT_EQ(searched(more, "trials_now"), 3);
}

// NVIDIA's driver refuses forks after cuInit, and so does the fake.
TEST_F(CliGpu, DoctorAndDevicesFindTheGpu) {
  const CliOutcome devices = run_cli(folder, "devices");
  ASSERT_EQ(devices.status, 0) << devices.err;
  EXPECT_NE(devices.out.find("cuda:0             available Fake GPU, sm_90"), std::string::npos)
      << devices.out;
  const CliOutcome doctor = run_cli(folder, "doctor");
  ASSERT_EQ(doctor.status, 0) << doctor.err;
  EXPECT_NE(doctor.out.find("yes cuda:0         Fake GPU: a kernel was built, run and verified"),
            std::string::npos)
      << doctor.out;
  const std::string nvrtc =
      fmt::format("yes NVRTC          {}.0 ({})", fake_nvrtc_major, FAKE_NVRTC);
  EXPECT_NE(doctor.out.find(nvrtc), std::string::npos) << doctor.out << "it shows the file in use";
}

TEST_F(CliGpu, AutoSaysWhyItIsNoGpu) {
  setenv("ALPHASPARSE_LIBNVRTC", "/nowhere/libnvrtc.so", 1);
  const CliOutcome outcome = run_cli(folder, "emit m.mtx --design csr-scalar");
  setenv("ALPHASPARSE_LIBNVRTC", FAKE_NVRTC, 1);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("no GPU is used (cuda:0: NVRTC is missing: looked for "
                             "/nowhere/libnvrtc.so"),
            std::string::npos)
      << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "m.cpu.cpp")) << outcome.out;
}

TEST_F(CliGpu, AutoPassesOverAGpuThatIsWrong) {
  EXPECT_TRUE(contains(run_cli(folder, "emit m.mtx --design csr-scalar").out, "cuda:0"));
  script("wrong:");  // the known kernel too
  const CliOutcome outcome = run_cli(folder, "emit m.mtx --design csr-scalar");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "no GPU is used (cuda:0 does not work: ")) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "m.cpu.cpp")) << outcome.out;
}

// The compiler tells only registers and spills of a kernel on the emulator, which decide nothing.
TEST_F(CliGpu, AModelOfAGpuNeedsNoCompilerThatKnowsIt) {
  const auto text_on = [&](const std::string& gpu) {
    const CliOutcome outcome =
        run_cli(folder, "emit m.mtx --design csr-scalar --device emulated:" + gpu);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_NE(text_on("h200").find(" registers, "), std::string::npos);
  EXPECT_EQ(text_on("v100").find(" registers, "), std::string::npos) << "the fake knows no sm_70";
}

// The fake's clock is processor time: two measurements are not the same.
TEST_F(CliGpu, MemoryIsMeasuredOnceOnAMachine) {
  const auto roofline = [&](const std::string& options) {
    const CliOutcome outcome =
        run_cli(folder, "bench m.mtx --device cuda:0 --designs csr-scalar --json " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out)["roofline"];
  };
  const json first = roofline("");
  EXPECT_GT(first["copy_gb_per_s"], 0);
  EXPECT_EQ(roofline(""), first);
  const json fresh = roofline("--fresh");
  EXPECT_NE(fresh, first);
  EXPECT_EQ(roofline(""), fresh);
}

TEST_F(CliGpu, WithoutAWorkerItIsTheSame) {
  setenv("ALPHASPARSE_IN_PROCESS", "1", 1);
  const CliOutcome outcome =
      run_cli(folder, "bench m.mtx --device cuda:0 --designs csr-scalar --json");
  unsetenv("ALPHASPARSE_IN_PROCESS");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_TRUE(result["matrices"][0]["designs"][0]["verified"]);
  EXPECT_EQ(result["gpu"]["reported"]["multiprocessors"], 4);
  EXPECT_GT(result["roofline"]["copy_gb_per_s"], 0) << outcome.err;
}

// The best meet again at the end, in turn, the vendor's best among them; and once more for each
// better one that the explanation finds. So those that met tell of other times than the last.
/// Each matrix is searched for in a fork, and its device has a worker in turn; no process asks the
/// driver before them.
TEST_F(CliGpu, AllGpusTuneManyMatrices) {
  set_contents(folder / "n.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 1\n");
  const CliOutcome outcome = run_cli(
      folder, "tune m.mtx n.mtx --device all --db t.db --trials 2 --time 2s --json --quiet");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  ASSERT_EQ(result["matrices"].size(), 2u);
  for (const json& matrix : result["matrices"]) {
    EXPECT_EQ(matrix["device"], "cuda:0");
    EXPECT_EQ(matrix["kind"], "measured");
  }
}

TEST_F(CliGpu, KilledManyLeaveNoProcess) {
  const pid_t many = start_command(
      folder.path(),
      fmt::format("{} tune . {} --time 5m >told 2>errors", cli_program(), tune_words));
  const auto searches = [&] {
    return std::filesystem::exists(folder / "t.db") && started().size() >= 4;
  };
  EXPECT_TRUE(comes_true(searches)) << "program, fork, fork server and worker";
  kill(many, SIGKILL);
  EXPECT_EQ(wait_for(many), -1);
}

TEST_F(CliGpu, TheBestAreMeasuredInTurn) {
  const json result = tune("--trials 36 -o out");
  const json winner = by_design(result)[result["design"]];
  EXPECT_GE(winner["rounds"], 10);
  EXPECT_EQ(winner["samples"], winner["rounds"]);
  EXPECT_NE(winner["note"].get<std::string>().find("in turn with "), std::string::npos) << winner;
  EXPECT_EQ(winner["sm_mhz"], 1980);
  EXPECT_GT(winner["convert_us"], 0);
  EXPECT_GT(winner["load_us"], 0);
  EXPECT_TRUE(result["vendor"]["design"].get<std::string>().starts_with("cusparse-"));
  EXPECT_EQ(result["vendor"]["rounds"], winner["rounds"]);
  EXPECT_GE(result["any_values"]["rounds"], 10) << "whatever the explanation has found";
  std::map<std::string, double> before;  // those that the finals before found as good as the best
  for (const auto& one_final : finals()) {
    const std::map<std::string, double>& times_us = one_final.second;
    EXPECT_GE(times_us.size(), 2U);
    EXPECT_TRUE(before.empty() ||
                std::any_of(before.begin(), before.end(),
                            [&](const auto& one) { return times_us.contains(one.first); }))
        << before.begin()->first << " was not beaten";
    before = times_us;
    const auto faster = [](const auto& a, const auto& b) { return a.second < b.second; };
    const double best_us = std::min_element(times_us.begin(), times_us.end(), faster)->second;
    std::erase_if(before, [&](const auto& one) { return one.second > best_us * 1.02; });  // ties
  }
  ASSERT_TRUE(before.contains(result["design"])) << "it is the best of the last finals";
  EXPECT_EQ(before.at(result["design"]), result["time_us"]);
  if (result["time_us"] < result["vendor"]["time_us"]) {
    EXPECT_GT(result["spmvs_to_pay"], 0);
  } else {
    EXPECT_TRUE(result["spmvs_to_pay"].is_null());
  }
  const CliOutcome text = run("tune m.mtx --trials 36 --db t.db -o out -v");
  EXPECT_TRUE(
      std::regex_search(text.out, std::regex("^[^\n]* as cuSPARSE \\(.* us\\);.* wrote out/m.cu\n"
                                             "next     nvcc ")))
      << text.out;
  EXPECT_TRUE(std::regex_search(text.out, std::regex("baseline .* cusparse-"))) << text.out;
  EXPECT_NE(text.out.find(", the best of cuSPARSE\npays     "), std::string::npos) << text.out;
}

TEST_F(CliGpu, BenchShowsTheVendorsAlgorithmsVerified) {
  for (const char* const dtype : {"f32", "f64"}) {
    const CliOutcome outcome = run(fmt::format("bench m.mtx --json --dtype {}", dtype));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json result = json::parse(outcome.out);
    EXPECT_EQ(result["kind"], "measured");
    const json& designs = result["matrices"][0]["designs"];
    ASSERT_EQ(designs.size(), named_designs(Target::gpu).size() + baselines(Target::gpu).size());
    std::size_t vendor = 0;
    for (const json& design : designs) {
      if (find_baseline(design["name"].get<std::string>())) ++vendor;
      if (design["name"] == "cusparse-bsr") continue;  // the matrix has no blocks
      EXPECT_TRUE(design["verified"]) << design;
      EXPECT_GE(design["time_us"], 1) << design;
      EXPECT_GT(design["gb_per_s"], 0) << design;
      EXPECT_GT(design["copy_share"], 0) << design;
      EXPECT_GT(design.value("memory_share", 0.0), 0) << design;
      EXPECT_GT(design["times_vendor"], 0) << design;
    }
    EXPECT_GT(result["roofline"]["copy_gb_per_s"], 0);
    EXPECT_GT(result["roofline"].value("read_gb_per_s", 0.0), 0);
    EXPECT_GT(result["roofline"]["gather_l2_per_ns"], 0);
    EXPECT_GE(result["roofline"].value("empty_warm_us", 0.0), 1);
    EXPECT_GE(result["roofline"].value("empty_cold_us", 0.0), 1);
    EXPECT_EQ(vendor, baselines(Target::gpu).size());
  }
  const CliOutcome cold = run("bench m.mtx --designs csr5,cusparse-csr-2 --cache cold");
  EXPECT_EQ(cold.status, 0) << cold.err;
  for (const char* const text :
       {"cold caches, times measured", "memory   copies ",
        "empty    a kernel that does nothing takes ", " of peak ", " x these ",
        "baseline cusparse-csr-2: ", "csr5: converted in ", ", loaded in "}) {
    EXPECT_NE(cold.out.find(text), std::string::npos) << text << " in " << cold.out;
  }
}

// All values of the matrix are floats, which a format of doubles may use and the vendor's cannot.
TEST_F(CliGpu, AnyValuesStandBesideTheseValues) {
  const CliOutcome outcome = run("tune m.mtx --dtype f64 --trials 40 --db t.db -o out --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  ASSERT_TRUE(result.contains("any_values"));
  const json& any = result["any_values"];
  ASSERT_TRUE(any.is_object()) << result;
  const auto design = any["design"].get<std::string>();
  EXPECT_EQ(design, without_coded_values(design));
  EXPECT_GE(any["rounds"], 10) << "it is in the finals";
  const double vendor_us = result["vendor"]["time_us"];
  EXPECT_NEAR(any["times_vendor"], vendor_us / any["time_us"].get<double>(), 1e-9);
  EXPECT_NEAR(result["times_vendor"], vendor_us / result["time_us"].get<double>(), 1e-9);
  // Within 2 % the smaller format wins, which may be that of these values alone.
  EXPECT_GE(any["time_us"].get<double>() * 1.021, result["time_us"].get<double>());
  EXPECT_TRUE(is_recorded_as_verified(design)) << design;
  const CliOutcome text = run("tune m.mtx --dtype f64 --trials 44 --db t.db -o out --explain");
  EXPECT_NE(text.out.find("any values  these values"), std::string::npos) << text.out;
  const CliOutcome varying =
      run("tune m.mtx --dtype f64 --values varying --trials 5 --db t.db -o out --json");
  const json same = json::parse(varying.out);
  EXPECT_EQ(same["any_values"]["design"], same["design"]);
}

TEST_F(CliGpu, BenchTellsWhichFormatsTakeAnyValues) {
  const std::string words = "bench m.mtx --designs csr-vector,csr5,cusparse-csr-1 --dtype f64";
  const CliOutcome outcome = run(words + " --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json matrix = json::parse(outcome.out)["matrices"][0];
  ASSERT_TRUE(matrix.contains("any_values")) << matrix;
  for (const json& design : matrix["designs"]) EXPECT_EQ(design["any_values"], true) << design;
  EXPECT_EQ(matrix["any_values"], matrix["these_values"]) << "no named design codes values";
  EXPECT_NEAR(
      matrix["any_values"]["times_vendor"].get<double>(),
      matrix["vendor"]["time_us"].get<double>() / matrix["any_values"]["time_us"].get<double>(),
      1e-9);
  const CliOutcome text = run(words);
  EXPECT_NE(text.out.find("  x any x these "), std::string::npos) << text.out;
}

TEST_F(CliGpu, EmitWritesWhatIsRightAlone) {
  const CliOutcome right = run("emit m.mtx --design csr5 -o e --dtype f64 --json");
  ASSERT_EQ(right.status, 0) << right.err;
  EXPECT_EQ(json::parse(right.out)["verified"], true);
  EXPECT_EQ(json::parse(right.out)["kind"], "measured");
  EXPECT_NE(contents(folder / "e/m.cu").find("//   compiled by NVRTC 99.0 for sm_90\n"),
            std::string::npos);
  setenv("ALPHASPARSE_CXX", "/nowhere/g++", 1);
  const CliOutcome cached = run("emit m.mtx --design csr5 -o e --dtype f64");
  const CliOutcome other = run("emit m.mtx --design csr5 -o c");
  unsetenv("ALPHASPARSE_CXX");
  for (const CliOutcome& outcome : {cached, other}) {
    EXPECT_EQ(outcome.status, 4) << "a compiler that does not work: " << outcome.err;
    EXPECT_NE(outcome.err.find("cuda:0 does not work: "), std::string::npos) << outcome.err;
  }

  script("crash:thread_bitmap");
  const CliOutcome crashed = run("emit m.mtx --design csr5 -o c");
  EXPECT_EQ(crashed.status, 3);
  EXPECT_NE(crashed.err.find("nothing is written: the device's worker was ended by signal 11 "
                             "(Segmentation fault) (crash)"),
            std::string::npos)
      << crashed.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "c/m.cu"));
}

}  // namespace
}  // namespace alphasparse
