// cli_cpu_peers: other libraries for SpMV on CPUs, measured beside our kernels - and named where
// one is missing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <tuple>

#include "runtime/device/baseline_kernels.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliCpuPeers : ::testing::Test {
  CliCpuPeers() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n"
                 "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n");
  }

  json of(const std::string& arguments) {
    const CliOutcome outcome = run_cli(folder, arguments + " --json --quiet", environment);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out);
  }

  std::string text_of(const std::string& arguments) {
    const CliOutcome outcome = run_cli(folder, arguments + " --quiet", environment);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }

  static void expect_in(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in:\n" << text;
  }

  static std::string one_design_and_peers() {
    std::string words = "--designs csr-scalar";
    for (const Baseline& peer : baselines(Target::cpu)) words += fmt::format(",{}", peer.name);
    return words;
  }

  /// The peer of this name.
  static json peer_of(const json& peers, const std::string& name) {
    for (const json& peer : peers) {
      if (peer["name"] == name) return peer;
    }
    ADD_FAILURE() << name << " is not in " << peers;
    return {};
  }

  json db_problems() {
    return json::parse(run_cli(folder, "db list --db t.db --json").out)["problems"];
  }

  TestFolder folder;
  std::string environment = "ALPHASPARSE_EIGEN=";  // the usual folder
};

TEST_F(CliCpuPeers, BenchHoldsOursAgainstTheBestOfThem) {
  for (const char* const words : {"cpu:1 --dtype f32", "cpu:1 --dtype f64 --cache cold"}) {
    const json matrix =
        of(fmt::format("bench m.mtx {} --device {}", one_design_and_peers(), words))["matrices"][0];
    ASSERT_EQ(matrix["peers"].size(), baselines(Target::cpu).size());
    const json loop = matrix["peers"][0];
    EXPECT_EQ(loop["name"], "openmp-csr");
    EXPECT_EQ(loop["library"], "OpenMP");
    EXPECT_TRUE(loop["version"].get<std::string>().starts_with("g++ ")) << loop;
    EXPECT_TRUE(loop["code_path"].is_null());
    EXPECT_EQ(loop["verified"], true);
    EXPECT_GT(loop["time_us"], 0);
    EXPECT_GT(loop["time_us_min"], 0);
    EXPECT_LE(loop["time_us_min"], loop["time_us"]);
    double best_us = loop["time_us"];
    for (const json& peer : matrix["peers"]) {
      if (peer["verified"].get<bool>()) best_us = std::min<double>(best_us, peer["time_us"]);
    }
    EXPECT_EQ(matrix["vendor"]["time_us"], best_us);
    EXPECT_NEAR(matrix["any_values"]["times_vendor"].get<double>(),
                best_us / matrix["any_values"]["time_us"].get<double>(), 1e-9);
  }
  const std::string text = text_of("bench m.mtx --device cpu:1 --designs csr-scalar,openmp-csr");
  expect_in(text, "baseline openmp-csr: ");
  expect_in(text, "  x any x these ");
  expect_in(text, "these values: csr-scalar is ");
  expect_in(text, "; version g++ ");
}

TEST_F(CliCpuPeers, TuneMeasuresThemInTurnAndRemembers) {
  const std::string words = "tune m.mtx --device cpu:1 --trials 5 --db t.db -o out";
  const json first = of(words);
  const json loop = peer_of(first["peers"], "openmp-csr");
  EXPECT_EQ(loop["verified"], true);
  EXPECT_GT(loop["time_us"], 0);
  EXPECT_GE(first["vendor"]["rounds"], 10) << "the best of them is in the finals";
  for (const json& timed : {first, first["vendor"], first["any_values"], first["pfs"]}) {
    EXPECT_GT(timed["time_us_min"], 0) << timed;
    EXPECT_LE(timed["time_us_min"], timed["time_us"]) << timed;
  }
  EXPECT_EQ(peer_of(first["peers"], first["vendor"]["design"])["time_us"],
            first["vendor"]["time_us"]);
  EXPECT_EQ(first["vendor_untried"], 0);
  EXPECT_NEAR(first["times_vendor"].get<double>(),
              first["vendor"]["time_us"].get<double>() / first["time_us"].get<double>(), 1e-9);
  const json again = of(words);
  EXPECT_EQ(again["tier"], "exact");
  EXPECT_EQ(again["vendor"]["time_us"], first["vendor"]["time_us"]);
  EXPECT_EQ(again["vendor"]["time_us_min"], first["vendor"]["time_us_min"]);
  EXPECT_EQ(again["time_us_min"], first["time_us_min"]);
  EXPECT_EQ(peer_of(again["peers"], "openmp-csr")["version"], loop["version"]);
  int vendors = 0;
  for (const json& problem : db_problems()) {
    vendors += problem["vendor"].get<bool>();
  }
  EXPECT_EQ(vendors, 1) << "a problem of their own";
  const std::string text = text_of(words + " --explain");
  expect_in(text, "baseline ");
  expect_in(text, "x base ");
  expect_in(text, "version  ");
  EXPECT_EQ(run_cli(folder, "db verify --db t.db").status, 0);
}

// Those of another number of vectors have no answer.
TEST_F(CliCpuPeers, SeveralVectorsHaveTheirOwn) {
  environment = "ALPHASPARSE_EIGEN=/nowhere";
  const std::string words = "tune m.mtx --device cpu:1 --trials 2 --db t.db -o out";
  const json one = of(words), four = of(words + " --vectors 4");
  const std::vector<Baseline>& all = baselines(Target::cpu, 4);
  EXPECT_EQ(four["vendor_algorithms"], all.size());
  EXPECT_EQ(four["vendor_untried"], 0);
  for (const char* const name : {"openmp-csr", "openmp-csr-calls"}) {
    EXPECT_EQ(peer_of(four["peers"], name)["verified"], true);
    EXPECT_EQ(peer_of(four["peers"], name)["library"], "OpenMP");
  }
  EXPECT_NE(peer_of(four["peers"], "openmp-csr")["time_us_min"],
            peer_of(one["peers"], "openmp-csr")["time_us_min"]);
  EXPECT_GT(four["times_vendor"], 0);
  const double us = four["time_us"], bytes = four["format_bytes"];
  EXPECT_NEAR(four["gflop_per_s"].get<double>(), 2 * 7 * 4 / us / 1e3, 1e-9);
  EXPECT_NEAR(four["gb_per_s"].get<double>(), (bytes + (5 + 4) * 4 * 4) / us / 1e3, 1e-9);
  expect_in(text_of(words + " --vectors 4 -v"), " us measured, f32, 4 vectors, ");
  const json again = of(words + " --vectors 4");
  EXPECT_EQ(again["tier"], "exact");
  EXPECT_EQ(again["vendor"]["time_us"], four["vendor"]["time_us"]);
  int several = 0;
  for (const json& problem : db_problems()) {
    if (problem["vectors"] == 1) continue;
    ++several;
    const bool is_vendors = problem["vendor"].get<bool>();
    EXPECT_EQ(problem["vectors"], 4);
    EXPECT_EQ(problem["options"], is_vendors ? "vendor vectors=4" : "values=fixed vectors=4");
    if (!is_vendors) {
      EXPECT_EQ(problem["times_vendor"], four["times_vendor"]);
    }
  }
  EXPECT_EQ(several, 2);
  EXPECT_EQ(run_cli(folder, "db verify --db t.db").status, 0);
  expect_in(run_cli(folder, "db list --db t.db --of baselines").out, "vectors=4 ");
  const json benched =
      of("bench m.mtx --device cpu:1 --designs csr-scalar,openmp-csr,openmp-csr-calls --vectors 2");
  EXPECT_EQ(benched["matrices"][0]["peers"].size(), 2u);
  EXPECT_EQ(benched["matrices"][0]["vendor_tried"], 2);
}

TEST_F(CliCpuPeers, EigenHasItsVersionAndItsInstructions) {
  const json eigen = peer_of(
      of("bench m.mtx --device cpu:1 --designs csr-scalar,eigen")["matrices"][0]["peers"], "eigen");
  if (eigen["verified"] == false) {
    expect_in(eigen["reason"], "Eigen is missing: ");
    GTEST_SKIP() << eigen["reason"];
  }
  EXPECT_EQ(eigen["library"], "Eigen");
  EXPECT_TRUE(
      std::regex_match(eigen["version"].get<std::string>(), std::regex("\\d+\\.\\d+\\.\\d+")))
      << eigen;
  EXPECT_FALSE(eigen["code_path"].is_null()) << eigen;
  EXPECT_GT(eigen["time_us"], 0);
}

// It is no failure, and a library that is installed later is measured then.
TEST_F(CliCpuPeers, WhatIsMissingIsToldInOneLine) {
  environment = "ALPHASPARSE_EIGEN=/nowhere";
  const std::string line =
      "missing  eigen: Eigen is missing: looked for Eigen/SparseCore in /nowhere; install it "
      "(apt install libeigen3-dev), or name its folder in ALPHASPARSE_EIGEN\n";
  const std::string words = "tune m.mtx --device cpu:1 --trials 3 --db t.db -o out";
  expect_in(text_of(words + " -v"), "Eigen: not installed (apt install libeigen3-dev)");
  const std::string text = text_of(words + " --explain");
  expect_in(text, line);
  expect_in(text, "baseline ");  // the fastest of those that are there
  EXPECT_EQ(text.find("untried"), std::string::npos) << text;
  const std::string table = text_of("bench m.mtx --device cpu:1 --designs csr-scalar,eigen");
  expect_in(table, "\n" + line);
  EXPECT_EQ(table.find("\neigen "), std::string::npos) << table;
  const json eigen = peer_of(of(words)["peers"], "eigen");
  EXPECT_EQ(eigen["verified"], false);
  EXPECT_TRUE(eigen["time_us"].is_null());
  expect_in(eigen["reason"], "Eigen is missing: ");
  environment = "ALPHASPARSE_EIGEN=";
  const json later =
      peer_of(of("tune m.mtx --device cpu:1 --trials 4 --db t.db -o out")["peers"], "eigen");
  if (later["verified"] == false) GTEST_SKIP() << later["reason"];
  EXPECT_GT(later["time_us"], 0);
}

/// Symmetric, of blocks of 2 x 2.
const char* const symmetric_blocks =
    "%%MatrixMarket matrix coordinate real general\n"
    "4 4 8\n1 1 4\n1 2 1\n2 1 1\n2 2 4\n3 3 5\n3 4 2\n4 3 2\n4 4 5\n";

const std::string mkl_peers =
    "--designs csr-scalar,mkl-csr,mkl-csr-optimised,mkl-symmetric,mkl-bsr";

TEST_F(CliCpuPeers, MklTakesTrianglesAndBlocksToo) {
  set_contents(folder / "s.mtx", symmetric_blocks);
  environment = "ALPHASPARSE_LIBMKL=" FAKE_MKL;
  const json matrices = of("bench s.mtx m.mtx --device cpu:1 " + mkl_peers)["matrices"];
  EXPECT_EQ(matrices[0]["peers"].size(), 4u);
  for (const json& peer : matrices[0]["peers"]) {
    EXPECT_EQ(peer["verified"], true) << peer;
    EXPECT_EQ(peer["library"], "MKL");
    EXPECT_EQ(peer["version"], "2099.0.1");
    EXPECT_EQ(peer["code_path"], "Processors of our own making");
  }
  const json& other = matrices[1]["peers"];
  EXPECT_EQ(peer_of(other, "mkl-csr")["verified"], true);
  EXPECT_EQ(peer_of(other, "mkl-symmetric")["reason"],
            "the matrix is neither symmetric nor Hermitian");
  EXPECT_EQ(peer_of(other, "mkl-bsr")["status"], "pruned");
}

/// The real one, where `tools/setup --all` has installed it or ALPHASPARSE_LIBMKL names it.
TEST_F(CliCpuPeers, TheMklThatIsThereIsRight) {
  const char* const mkl = std::getenv("ALPHASPARSE_LIBMKL");
  if (!mkl) GTEST_SKIP() << "MKL was not tried: tools/setup --all installs it";
  set_contents(folder / "s.mtx", symmetric_blocks);
  environment = fmt::format("ALPHASPARSE_LIBMKL={}", mkl);
  for (const char* const dtype : {" --dtype f32", " --dtype f64"}) {
    const json peers =
        of("bench s.mtx --device cpu:1 " + mkl_peers + dtype)["matrices"][0]["peers"];
    EXPECT_EQ(peers.size(), 4u);
    for (const json& peer : peers) {
      EXPECT_EQ(peer["verified"], true) << peer;
      EXPECT_TRUE(peer["code_path"].is_string()) << peer;
    }
  }
}

TEST_F(CliCpuPeers, ATriangleIsNoPeerOfAnyValues) {
  set_contents(folder / "s.mtx", symmetric_blocks);
  environment = "ALPHASPARSE_LIBMKL=" FAKE_MKL;
  const std::string words = "tune s.mtx --device cpu:1 --trials 3 --db t.db -o out";
  EXPECT_EQ(peer_of(of(words)["peers"], "mkl-symmetric")["verified"], true);
  for (int again = 0; again < 2; ++again) {  // then from the database
    const json varying = of(words + " --values varying");
    const json triangle = peer_of(varying["peers"], "mkl-symmetric");
    EXPECT_EQ(triangle["verified"], false);
    expect_in(triangle["reason"], "--values varying forbids");
    EXPECT_NE(varying["vendor"]["design"], "mkl-symmetric");
    EXPECT_EQ(varying["vendor_untried"], 0);
  }
  EXPECT_EQ(peer_of(of(words)["peers"], "mkl-symmetric")["verified"], true);
}

TEST_F(CliCpuPeers, AFaultOfOneIsToldAndLosesNoOther) {
  for (const auto& [fault, status, told] :
       {std::tuple{"wrong", "wrong_result", "wrong result in case 'exact 1'"},
        {"crash", "crash", "was ended by signal 6"},
        {"status", "launch_error", "the product: MKL says status 5"}}) {
    environment = fmt::format("ALPHASPARSE_LIBMKL={} FAKE_MKL_FAULT={}", FAKE_MKL, fault);
    const std::string words = "m.mtx --device cpu:1 --trials 3 --fresh --db t.db -o out";
    const json result = of("tune " + words);
    const json peer = peer_of(result["peers"], "mkl-csr-optimised");
    EXPECT_EQ(peer["verified"], false) << peer;
    EXPECT_EQ(peer["status"], status);
    expect_in(peer["reason"], told);
    EXPECT_TRUE(peer["time_us"].is_null()) << peer;
    for (const char* const other : {"openmp-csr", "mkl-csr"}) {
      EXPECT_EQ(peer_of(result["peers"], other)["verified"], true) << other;
    }
    EXPECT_NE(result["vendor"]["design"], "mkl-csr-optimised");
  }
  const std::string text = text_of("bench m.mtx --device cpu:1 " + mkl_peers);
  expect_in(text, "launch_error: case exact 1: the product: MKL says status 5\n");
  expect_in(text, "baseline mkl-csr: ");
}

// One SpMV of MKL's takes longer than a fifth of 4 seconds, which is for all peers.
TEST_F(CliCpuPeers, SlowOnesTakeTheirShareOfASearchAndNoMore) {
  set_contents(folder / "s.mtx", symmetric_blocks);
  environment = fmt::format("ALPHASPARSE_LIBMKL={} FAKE_MKL_FAULT=slow", FAKE_MKL);
  const json result = of("tune s.mtx --device cpu:1 --time 4s --db t.db -o out");
  EXPECT_GE(result["vendor_untried"].get<int>() + result["peers"].size(), 6U);
  EXPECT_GE(result["vendor_untried"], 3) << result["peers"];
  EXPECT_TRUE(result["time_us"].is_number()) << "the rest of the time is for designs of ours";
}

TEST_F(CliCpuPeers, AMissingMklIsToldInOneLine) {
  environment = "ALPHASPARSE_LIBMKL=/nowhere/libmkl_rt.so";
  const std::string line =
      "missing  mkl-csr, mkl-csr-optimised, mkl-symmetric, mkl-bsr: MKL is missing: looked for "
      "/nowhere/libmkl_rt.so; install it (pip install mkl), or name its libmkl_rt.so in "
      "ALPHASPARSE_LIBMKL\n";
  set_contents(folder / "s.mtx", symmetric_blocks);
  const std::string tune = "tune s.mtx --device cpu:1 --trials 3 --db t.db -o out";
  const std::string verdict = text_of(tune);
  EXPECT_TRUE(std::regex_match(
      verdict,
      std::regex(
          "[^\n]* us[^\n]*; without a time: [^\n]*MKL \\(not installed\\)[^\n]*; only 3 "
          "designs tried; wrote out/s\\.cpu\\.cpp\nnext     g\\+\\+ [^\n]*\n(slower   [^\n]*\n)?")))
      << verdict;
  expect_in(text_of(tune + " -v"), "missing  MKL: not installed (pip install mkl)");
  expect_in(text_of(tune + " --explain"), line);
  const json result = of(tune);
  EXPECT_EQ(result["baselines_missing"][0],
            (json{{"library", "MKL"}, {"install", "pip install mkl"}}))
      << result["baselines_missing"];
  EXPECT_EQ(peer_of(result["peers"], "mkl-csr")["status"], "missing") << result["peers"];
  EXPECT_EQ(result["baselines_present"][0], "OpenMP") << result["baselines_present"];
  expect_in(text_of("bench s.mtx --device cpu:1 " + mkl_peers), line);
}

TEST_F(CliCpuPeers, PeersAreOfTheirOwnDevices) {
  const auto refused = [&](const std::string& words, const std::string& text) {
    const CliOutcome outcome = run_cli(folder, "bench m.mtx " + words);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    expect_in(outcome.err, text);
  };
  refused("--device cpu:1 --designs cusparse-csr-1", "cusparse-csr-1 runs on GPUs of NVIDIA alone");
  refused("--device emulated --designs openmp-csr", "openmp-csr runs on CPUs alone");
  EXPECT_TRUE(of("bench m.mtx --device emulated --designs csr5")["matrices"][0]["peers"].empty());
}

}  // namespace
}  // namespace alphasparse
