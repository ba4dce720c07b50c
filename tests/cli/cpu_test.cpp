// cli_cpu: the processor at hand as a device - measured times, its own files, its own words.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliCpu : ::testing::Test {
  CliCpu() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n"
                 "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n");
  }

  CliOutcome run(const std::string& arguments) { return run_cli(folder, arguments); }

  void expect_error(const CliOutcome& outcome, int status, const std::string& text) {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }

  static void expect_in(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in " << text;
  }

  TestFolder folder;
};

TEST_F(CliCpu, BenchMeasuresWhatExistsThere) {
  const CliOutcome outcome = run("bench m.mtx --device cpu:1 --json --quiet");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["device"], "cpu:1");
  EXPECT_EQ(result["kind"], "measured");
  EXPECT_EQ(result["clock"], "processor time");
  EXPECT_TRUE(result["gpu"].is_null());
  EXPECT_EQ(result["processor"]["threads"], 1);
  EXPECT_NE(result["processor"]["compiler"].get<std::string>().find("g++"), std::string::npos);
  EXPECT_GT(result["roofline"]["copy_gb_per_s"], 0);
  int verified = 0;
  for (const json& design : result["matrices"][0]["designs"]) {
    EXPECT_NE(design["name"], "csr-stream");
    EXPECT_NE(design["name"], "ellpack-r");
    verified += design["verified"].get<bool>();
    if (design["verified"].get<bool>()) {
      EXPECT_GT(design["time_us_min"], 0) << design;
    }
  }
  EXPECT_GE(verified, 11);
}

TEST_F(CliCpu, TuneLeavesItsSourceAndItsFormatBesideThoseOfAGpu) {
  const CliOutcome gpu = run("emit m.mtx --design csr-scalar --device emulated -o out");
  ASSERT_EQ(gpu.status, 0) << gpu.err;
  const CliOutcome outcome =
      run("tune m.mtx --device cpu:1 --trials 20 -o out --db t.db --json --quiet");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["kind"], "measured");
  EXPECT_EQ(result["files"]["source"], "out/m.cpu.cpp");
  EXPECT_EQ(result["files"]["format"], "out/m.cpu.safetensors");
  EXPECT_NE(result["design"].get<std::string>().find("launch tasks=bytes"), std::string::npos);
  for (const char* const file :
       {"m.cu", "m.h", "m.safetensors", "m.cpu.cpp", "m.cpu.h", "m.cpu.safetensors"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / file)) << file;
  }
  const CliOutcome again =
      run("tune m.mtx --device cpu:1 --trials 20 -o out --db t.db --json --quiet");
  EXPECT_EQ(json::parse(again.out)["design"], result["design"]);
  const json list = json::parse(run("db list --db t.db --json").out);
  EXPECT_TRUE(list["problems"][0]["gpu"].is_null()) << list;
}

TEST_F(CliCpu, ShowHasSourceAndAssembly) {
  const CliOutcome source = run("show m.mtx --design csr5 --stage source --device cpu");
  ASSERT_EQ(source.status, 0) << source.err;
  EXPECT_NE(source.out.find("static void spmv("), std::string::npos);
  const CliOutcome assembly = run("show m.mtx --design csr5 --stage asm --device cpu");
  ASSERT_EQ(assembly.status, 0) << assembly.err;
  EXPECT_NE(assembly.out.find("alphasparse_run_team"), std::string::npos);
  expect_error(run("show m.mtx --device emulated --design csr5 --stage asm"), 2,
               "--stage asm is of CPUs and GPUs of AMD");
  expect_error(run("show m.mtx --design csr5 --stage ptx --device cpu"), 2, "PTX is of GPUs");
}

TEST_F(CliCpu, AnEmittedKernelIsBuiltAndRunsByItself) {
  ASSERT_EQ(run("emit m.mtx --design csr-scalar --device cpu:1 -o out").status, 0);
  const CliOutcome outcome = run("run out/m.cpu.cpp");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  expect_in(outcome.out, "\ntime    ");
  expect_error(run("run m.mtx"), 2, "m.mtx: is no emitted kernel");
}

constexpr const char* no_gpu = "ALPHASPARSE_LIBCUDA=/nowhere/libcuda.so";

TEST_F(CliCpu, IsTheDefaultWithoutAGpu) {
  const CliOutcome emitted = run_cli(folder, "emit m.mtx --design csr5 -o out", no_gpu);
  ASSERT_EQ(emitted.status, 0) << emitted.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/m.cpu.cpp")) << emitted.out;
  expect_in(emitted.err, "no GPU is used (cuda:0: no CUDA driver: looked for /nowhere/libcuda");
  expect_in(emitted.err, "this CPU; --device emulated models a GPU\n");
  const CliOutcome tuned =
      run_cli(folder, "tune m.mtx --trials 1 --db t.db -o out --json --quiet", no_gpu);
  EXPECT_EQ(tuned.err.find("CUDA"), std::string::npos) << tuned.err;
  EXPECT_EQ(json::parse(tuned.out)["kind"], "measured");
  std::filesystem::copy_file(folder / "m.mtx", folder / "n.mtx");
  const CliOutcome many =
      run_cli(folder, "tune m.mtx n.mtx --trials 1 --db t.db -o out --json --quiet", no_gpu);
  EXPECT_EQ(json::parse(many.out)["matrices"][0]["kind"], "measured");
  const std::string show = "show m.mtx --design csr5 --stage source";
  expect_in(run_cli(folder, show, no_gpu).out, "launch tasks=bytes");
  expect_in(run_cli(folder, show + " --device emulated", no_gpu).out, "__global__");
}

/// A g++ that first does something where it is asked for a shared object; the variable that names
/// it.
std::string compiler_that(const TestFolder& folder, const std::string& first) {
  set_contents(folder / "cxx", fmt::format("#!/bin/sh\ncase \"$*\" in *-fopenmp*) {};; esac\n"
                                           "exec g++ \"$@\"\n",
                                           first));
  std::filesystem::permissions(folder / "cxx", std::filesystem::perms::owner_all);
  return fmt::format("ALPHASPARSE_CXX='{}'", (folder / "cxx").string());
}

TEST_F(CliCpu, AnAnswerOfTheDatabaseCompilesNothing) {
  const std::string log = (folder / "log").string();
  const std::string environment = "ALPHASPARSE_CACHE=none ALPHASPARSE_DB=t.db " +
                                  compiler_that(folder, fmt::format("echo once >>'{}'", log));
  const std::string tune = "tune m.mtx --device cpu:1 --trials 1 --quiet --json";
  EXPECT_EQ(run_cli(folder, tune, environment).status, 0);
  EXPECT_TRUE(std::filesystem::remove(log));
  EXPECT_EQ(json::parse(run_cli(folder, tune, environment).out)["tier"], "exact");
  EXPECT_FALSE(std::filesystem::exists(log)) << contents(log);
}

TEST_F(CliCpu, ASearchOnACpuThatDoesNotWorkSaysSo) {
  const std::string environment =
      "ALPHASPARSE_DB=t.db " +
      compiler_that(folder, "echo 'g++: error: no libgomp.spec' >&2; exit 1");
  const CliOutcome outcome =
      run_cli(folder, "tune m.mtx --device cpu:1 --trials 1 --quiet", environment);
  expect_error(outcome, 4, "cpu:1 does not work: ");
  expect_in(outcome.err, "no libgomp.spec");
}

TEST_F(CliCpu, AModelIsTheDefaultWhereTheCompilerCanMakeNothingElse) {
  const CliOutcome emitted =
      run_cli(folder, "emit m.mtx --design csr-scalar -o out",
              fmt::format("{} {}", no_gpu,
                          compiler_that(folder, "echo 'g++: error: no libgomp.spec' >&2; exit 1")));
  ASSERT_EQ(emitted.status, 0) << emitted.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/m.cu")) << emitted.out;
  expect_in(emitted.err, "does not work: ");
  expect_in(emitted.err, "no libgomp.spec");
  expect_in(emitted.err, "times are modelled\n");
}

TEST_F(CliCpu, WithoutACompilerTheDefaultSaysHowToGetOne) {
  expect_error(run_cli(folder, "emit m.mtx --design csr-scalar -o out",
                       std::string(no_gpu) + " ALPHASPARSE_CXX=/nowhere/g++"),
               4, "apt-get install g++");
}

TEST_F(CliCpu, WhatIsNotThereIsRefusedInOneLine) {
  expect_error(run("bench m.mtx --device cpu:99999"), 2, "this process may use");
  expect_error(run("bench m.mtx --device cpu:x"), 2, "no device is called \"cpu:x\"");
  expect_error(run("bench m.mtx --device cpu:1 --designs csr-stream --quiet"), 2,
               "csr-stream does not exist on a CPU");
  expect_error(
      run("emit m.mtx --device cpu:1 --design \"compress | thread_rows rows=1 | thread_total | "
          "global_store | launch threads=32\""),
      3, "its launch is a GPU's");
  expect_error(run("emit m.mtx --design \"compress | thread_rows rows=1 | thread_total | "
                   "global_store | launch tasks=bytes\" --device emulated:h200"),
               3, "its launch is a CPU's");
  expect_error(run_cli(folder, "bench m.mtx --device cpu:1", "ALPHASPARSE_CXX=/nowhere/g++"), 4,
               "kernels for CPUs need");
}

}  // namespace
}  // namespace alphasparse
