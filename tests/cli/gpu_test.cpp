// cli_gpu: tune, bench and emit on a GPU, from the matrix file to the files and the database. The
// worker, the compile cache, verification and timing take part. Fakes of NVIDIA's libraries stand
// in the GPU's place; they also fail on command. ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "operators/compact_passes.h"
#include "operators/named_designs.h"
#include "runtime/database/database.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/formats/format_file.h"
#include "runtime/system/sqlite.h"
#include "search/space/bans.h"
#include "tests/cli/gpu_ground.h"
#include "tests/fakes/fake_faults.h"
#include "tests/fakes/fake_nvrtc.h"
#include "tests/support/cli.h"
#include "tests/support/fake_gpu.h"
#include "tests/support/processes.h"

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
  EXPECT_NE(outcome.err.find("no CUDA GPU is used (cuda:0: NVRTC is missing: looked for "
                             "/nowhere/libnvrtc.so"),
            std::string::npos)
      << outcome.err;
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
  for (const auto& [when, times_us] : finals()) {
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
  const CliOutcome text = run("tune m.mtx --trials 36 --db t.db -o out");
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
    ASSERT_EQ(designs.size(), named_designs(Target::cuda).size() + baselines(Target::cuda).size());
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
    EXPECT_EQ(vendor, baselines(Target::cuda).size());
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

TEST_F(CliGpu, WithoutTheVendorsLibraryTuneSaysSo) {
  setenv("ALPHASPARSE_LIBCUSPARSE", "/nowhere/libcusparse.so", 1);
  const CliOutcome outcome = run("tune m.mtx --trials 3 --db t.db -o out");
  setenv("ALPHASPARSE_LIBCUSPARSE", FAKE_CUDA, 1);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("baseline not measured: cuSPARSE is missing: looked for /nowhere/"),
            std::string::npos)
      << outcome.out;
}

TEST_F(CliGpu, TheVendorsTwoBestAreInTheFinals) {
  const CliOutcome outcome = run("tune m.mtx --trials 3 --db t.db -o out");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(baseline_trials(true), 2);
}

/// The least time of the vendor's algorithms, as a report lists them.
double least_us(const json& outcomes) {
  double least = 1e9;
  for (const json& outcome : outcomes) {
    if (outcome["status"] == "ok") least = std::min(least, outcome["time_us"].get<double>());
  }
  return least;
}

// Two of the vendor's lie on the GPU in the finals, and each then takes twice as long as alone.
TEST_F(CliGpu, TheVendorsFigureIsTheLeastTimeOfAnyOfItsAlgorithms) {
  const json fair = tune("--trials 3 -o out");
  setenv("FAKE_VENDOR_CROWDED_US", "50", 1);
  const json crowded = tune("--trials 3 --fresh -o out");
  EXPECT_NEAR(crowded["vendor"]["time_us"], fair["vendor"]["time_us"], 10);
  EXPECT_EQ(crowded["vendor"]["time_us"], least_us(crowded["peers"])) << crowded["peers"];
  EXPECT_NEAR(crowded["times_vendor"].get<double>(),
              crowded["vendor"]["time_us"].get<double>() / crowded["time_us"].get<double>(), 1e-9);
  const auto note = crowded["vendor"]["note"].get<std::string>();
  EXPECT_NE(note.find("; in turn 1"), std::string::npos) << "the other time is told: " << note;
  EXPECT_GE(by_design(crowded)[crowded["design"]]["rounds"], 10) << "ours is the time in turn";
  unsetenv("FAKE_VENDOR_CROWDED_US");
  const json again =
      json::parse(run_cli(folder, "tune m.mtx --device cuda:0 --db t.db --json --trials 3").out);
  EXPECT_EQ(again["tier"], "exact");
  EXPECT_EQ(again["vendor"], crowded["vendor"]) << "as the database has it";
}

TEST_F(CliGpu, TheVendorsLibraryHasItsVersion) {
  const json tuned = tune("--trials 3 -o out");
  EXPECT_EQ(tuned["vendor"]["library"], "cuSPARSE");
  EXPECT_EQ(tuned["vendor"]["version"], "12.7.3");
  EXPECT_EQ(tuned["vendor_algorithms"], 8);
  EXPECT_EQ(tuned["vendor_tried"], 8) << "one is refused by its own rule";
  ASSERT_EQ(tuned["peers"].size(), 8U);
  for (const json& peer : tuned["peers"]) EXPECT_EQ(peer["version"], "12.7.3") << peer;
  const CliOutcome text = run("tune m.mtx --trials 3 --db t.db -o out --explain");
  EXPECT_NE(text.out.find("version  cuSPARSE 12.7.3; 8 of 8 algorithms tried\n"), std::string::npos)
      << text.out;
  const std::string some = "bench m.mtx --designs csr5,cusparse-csr-2,cusparse-bsr";
  const json benched = json::parse(run(some + " --json").out)["matrices"][0];
  EXPECT_EQ(benched["vendor"]["version"], "12.7.3");
  EXPECT_EQ(benched["vendor_algorithms"], 8);
  EXPECT_EQ(benched["vendor_tried"], 2);
  for (const json& peer : benched["peers"]) EXPECT_EQ(peer["version"], "12.7.3") << peer;
  const CliOutcome table = run(some + " --report page.html");
  EXPECT_NE(table.out.find("cuSPARSE 12.7.3; 2 of 8 algorithms tried"), std::string::npos)
      << table.out;
  const std::string page = contents(folder / "page.html");
  EXPECT_NE(page.find("2 of 8 peers were tried; the fastest is cusparse-csr-2 (cuSPARSE 12.7.3)"),
            std::string::npos);
}

// As where a matrix is so large that preparing any of them takes seconds.
TEST_F(CliGpu, TheVendorTakesABoundedShareOfTheTime) {
  setenv("FAKE_VENDOR_SECONDS", "1", 1);
  const CliOutcome outcome = run("tune m.mtx --time 6s --db t.db -o out");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_GE(baseline_trials(), 1) << "one in any case";
  EXPECT_LE(baseline_trials(), 2);
  EXPECT_GE(recorded().size(), 2U) << "there is time for more than a first design of ours";
  EXPECT_NE(outcome.out.find(" cusparse-csr-1 ("), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(" algorithms of baselines: their share of the time was over"),
            std::string::npos)
      << outcome.out;
}

TEST_F(CliGpu, TheSuiteMeasuresAllOfTheVendorsBeforeASearch) {
  const auto suite = [&](const std::string& arguments) {
    const CommandOutcome outcome = run_command(fmt::format(
        "cd '{}' && '{}/tools/bench_suite' m.mtx --device cuda:0 --dtype f32 --cache warm "
        "--twins none --time-each 2 --json s.json {} 2>errors",
        folder.path().string(), ALPHASPARSE_BINARY_DIR, arguments));
    EXPECT_EQ(outcome.status, 0) << outcome.output << contents(folder / "errors");
    return std::pair{json::parse(contents(folder / "s.json")), outcome.output};
  };
  setenv("FAKE_VENDOR_SECONDS", "0.4", 1);  // a fifth of a search is a second
  setenv("FAKE_VENDOR_CROWDED_US", "50", 1);
  const auto [all, text] = suite("--time 60");
  const json row = all["rows"][0];
  EXPECT_EQ(row["vendor_algorithms"], 8);
  EXPECT_EQ(row["vendor_tried"], 8);
  EXPECT_EQ(row["vendor_untried"], 0);
  EXPECT_EQ(row["vendor"]["version"], "12.7.3");
  EXPECT_GE(row["vendor_seconds"], 2.8);
  EXPECT_EQ(row["vendor"]["time_us"], least_us(row["vendor_outcomes"])) << row["vendor_outcomes"];
  EXPECT_LT(row["vendor"]["time_us"], 80) << "not the time in turn";
  EXPECT_EQ(all["groups"][0]["partial"], 0);
  EXPECT_NE(text.find("vendor   cuSPARSE 12.7.3\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" 8 of 8 "), std::string::npos) << text;

  setenv("FAKE_VENDOR_SECONDS", "1", 1);  // of seven
  const auto [few, few_text] = suite("--time 3");
  EXPECT_GE(few["rows"][0]["vendor_untried"], 4);
  EXPECT_EQ(few["groups"][0]["compared"], 0);
  EXPECT_EQ(few["groups"][0]["partial"], 1);
  EXPECT_EQ(few_text.find("geometric mean"), std::string::npos) << few_text;
}

TEST_F(CliGpu, ManyTunedMatricesHaveAMeanBesideAllOfTheVendors) {
  set_contents(folder / "n.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 1\n");
  const std::string words = "tune m.mtx n.mtx --trials 2 --time 5s --db t.db -o out";
  const CliOutcome whole = run(words);
  EXPECT_NE(whole.out.find("times as fast as the best baseline, in geometric mean over 2"),
            std::string::npos)
      << whole.out;
  setenv("FAKE_VENDOR_SECONDS", "1", 1);
  const CliOutcome partial = run(words + " --fresh");
  EXPECT_EQ(partial.out.find("the best baseline, in geometric mean"), std::string::npos)
      << partial.out;
  EXPECT_NE(
      partial.out.find("untried  some of the baselines' algorithms, so not in that mean: m (1 "
                       "of 8), n (1 of 8)"),
      std::string::npos)
      << partial.out;
}

TEST_F(CliGpu, BesideMatricesTheSuiteMakesTwoTwins) {
  const CommandOutcome outcome = run_command(fmt::format(
      "cd '{}' && '{}/tools/bench_suite' m.mtx --device cuda:0 --dtype f32 --cache warm "
      "--twin-nnz 2000 --time 60 --time-each 1 --json s.json 2>errors",
      folder.path().string(), ALPHASPARSE_BINARY_DIR));
  ASSERT_EQ(outcome.status, 0) << outcome.output << contents(folder / "errors");
  const json result = json::parse(contents(folder / "s.json"));
  EXPECT_EQ(result["planned"], 3);
  std::set<std::string> names;
  for (const json& row : result["rows"]) names.insert(row["matrix"]);
  EXPECT_EQ(names, (std::set<std::string>{"audikw_1", "kron_g500-logn18", "m"}));
}

TEST_F(CliGpu, TheSuiteListsLossesFirst) {
  const CommandOutcome outcome = run_command(
      fmt::format("cd '{}' && '{}/tools/bench_suite' m.mtx --twins GL7d20 --twin-nnz 2000 "
                  "--device cuda:0 --dtype f32 --time 600 --time-each 2 --json s.json 2>errors",
                  folder.path().string(), ALPHASPARSE_BINARY_DIR));
  ASSERT_EQ(outcome.status, 0) << outcome.output << contents(folder / "errors");
  EXPECT_NE(outcome.output.find("times the vendor's best in geometric mean"), std::string::npos)
      << outcome.output;
  const json result = json::parse(contents(folder / "s.json"));
  ASSERT_EQ(result["rows"].size(), 4U);
  EXPECT_EQ(result["groups"].size(), 4U);
  int losses = 0;
  for (const json& row : result["rows"]) {
    EXPECT_NEAR(row["ahead"].get<double>(),
                row["vendor"]["time_us"].get<double>() / row["winner"]["time_us"].get<double>(),
                1e-9);
    EXPECT_GT(row["copy_share"], 0);
    EXPECT_GT(row.value("memory_share", 0.0), 0);
    ASSERT_TRUE(row.contains("any_values"));
    EXPECT_NEAR(row["ahead_any_values"].get<double>(),
                row["vendor"]["time_us"].get<double>() / row["any_values"]["time_us"].get<double>(),
                1e-9);
    losses += row["ahead_any_values"] < 1;
  }
  EXPECT_NE(outcome.output.find("any values: "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("these values: "), std::string::npos) << outcome.output;
  // All losses stand above all others.
  const std::size_t last_loss = outcome.output.rfind(" LOSS ");
  EXPECT_EQ(last_loss != std::string::npos, losses > 0) << outcome.output;
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = outcome.output.find(" LOSS ", at)) != std::string::npos; ++at)
    ++rows;
  EXPECT_EQ(rows, losses);
}

// The fake's L2 holds 1 MiB.
TEST_F(CliGpu, TheSuiteSaysWhatLiesBeyondL2) {
  const auto suite = [&](const std::string& arguments) {
    const CommandOutcome outcome = run_command(fmt::format(
        "cd '{}' && '{}/tools/bench_suite' --twins GL7d20 --device cuda:0 --dtype f32 --cache warm "
        "--time 8 --time-each 1 --json s.json {} 2>errors",
        folder.path().string(), ALPHASPARSE_BINARY_DIR, arguments));
    EXPECT_EQ(outcome.status, 0) << outcome.output << contents(folder / "errors");
    return std::pair{json::parse(contents(folder / "s.json"))["rows"][0], outcome.output};
  };
  const auto [small, small_text] = suite("--twin-nnz 2000");
  ASSERT_TRUE(small.contains("beyond_l2")) << small;
  EXPECT_EQ(small["beyond_l2"], false);
  EXPECT_NE(small_text.find("under 3 L2"), std::string::npos) << small_text;
  const auto [large, large_text] = suite("");
  EXPECT_EQ(large["beyond_l2"], true) << large_text;
  for (const char* const contender : {"winner", "vendor"}) {
    EXPECT_GT(large[contender]["format_bytes"], 3 << 20) << contender;
  }
  EXPECT_LT(large["nnz"], 1'000'000) << "no larger than this GPU wants";
  EXPECT_EQ(large_text.find("under 3 L2"), std::string::npos) << large_text;
  EXPECT_NE(large_text.find("1 of 1 beyond 3 L2"), std::string::npos) << large_text;
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
