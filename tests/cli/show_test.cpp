// cli_show: the stages of one design on one matrix. No kernel runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "generator/facts/store.h"
#include "operators/named_designs.h"
#include "runtime/compilers/hip_clang.h"
#include "runtime/compilers/nvrtc.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliShow : ::testing::Test {
  CliShow() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n"
                 "3 4 5\n1 1 1.5\n1 3 -2\n3 2 3\n3 3 0.5\n3 4 7\n");
  }

  TestFolder folder;

  /// For a GPU, where the arguments name no device.
  CliOutcome show(const std::string& design, const std::string& arguments) {
    const char* const device = contains(arguments, "--device") ? "" : "--device emulated";
    return run_cli(folder,
                   fmt::format("show m.mtx --design '{}' {} {}", design, device, arguments));
  }

  json show_json(const std::string& design, const std::string& arguments) {
    const CliOutcome outcome = show(design, arguments + " --json");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return json::parse(outcome.out);
  }

  void expect_error(const CliOutcome& outcome, int status, const std::string& text) {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }

  static json named(const json& list, const char* key, const std::string& name) {
    for (const json& entry : list) {
      if (entry[key] == name) return entry;
    }
    ADD_FAILURE() << name << " is not in " << list.dump(1);
    return {};
  }
};

TEST_F(CliShow, TheStoreHasEveryKeyWithItsLine) {
  const json shown = show_json("csr-scalar", "--stage store");
  EXPECT_EQ(shown["schema"], 1);
  EXPECT_EQ(
      shown["design"],
      "compress | thread_rows rows=1 | thread_total batch=8 | global_store | launch threads=256");
  ASSERT_EQ(shown["branches"].size(), 1u);
  const json& store = shown["branches"][0];
  EXPECT_EQ(store["facts"], json({"compressed"}));
  ASSERT_EQ(store["levels"].size(), 1u);
  EXPECT_EQ(store["levels"][0]["cut"], "rows");
  EXPECT_EQ(store["levels"][0]["units"], 3);
  EXPECT_EQ(store["chain"][0]["fragment"], "thread_total_batch");
  EXPECT_EQ(store["sink"], "global_store");
  EXPECT_EQ(store["launch"]["threads"], 256);
  EXPECT_EQ(named(store["arrays"], "key", "matrix.nz_col")["first"], json({0, 2, 1, 2, 3}));
  EXPECT_EQ(named(store["arrays"], "key", "thread.first_nz")["first"], json({0, 2, 2, 5}));
  for (const json& array : store["arrays"])
    EXPECT_FALSE(array["doc"].get<std::string>().empty()) << array;
  const std::string text = show("csr-scalar", "--stage store").out;
  EXPECT_NE(text.find("thread level in the matrix level: 3 units of whole rows"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\nmatrix.row_first_nz [4] = 0 2 2 5\n    [rows + 1] first non-zero"),
            std::string::npos)
      << text;
}

TEST_F(CliShow, BranchesStandOneBelowTheOther) {
  const std::string branch =
      "{ compress | thread_rows rows=1 | thread_total | global_store | launch threads=32 }";
  const std::string design = "bin_rows at=3 " + branch + " " + branch;
  const json shown = show_json(design, "--stage store");
  ASSERT_EQ(shown["branches"].size(), 2u);
  EXPECT_EQ(shown["branches"][0]["nnz"], 2);
  EXPECT_EQ(shown["branches"][1]["nnz"], 3);
  EXPECT_NE(shown["branches"][0]["about"], shown["branches"][1]["about"]);
  const std::string text = show(design, "--stage store").out;
  EXPECT_LT(text.find("branch   1 of 2"), text.find("branch   2 of 2")) << text;
}

TEST_F(CliShow, TheFormatHasArraysAndModels) {
  const json format = show_json("csr-scalar", "--stage format --dtype f64");
  EXPECT_EQ(format["format_bytes"], 5 * 12 + 4 * 4);
  EXPECT_EQ(format["csr_bytes"], 5 * 12 + 4 * 4);
  const json value = named(format["arrays"], "name", "value");
  EXPECT_EQ(value["type"], "F64");
  EXPECT_EQ(value["bytes"], 40);
  EXPECT_EQ(value["first"], json({1.5, -2, 3, 0.5, 7}));
  EXPECT_EQ(format["launches"][0]["threads"], 256);
  const json tiles = show_json("csr5", "--stage format");
  EXPECT_EQ(named(tiles["computed"], "name", "warp_first_entry")["model"], "512 * i");
  const std::string text = show("csr5", "--stage format").out;
  EXPECT_NE(text.find("warp_first_entry [2], 0 B instead of 8 B: first stored entry of each warp\n"
                      "    linear: 512 * i\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("thread_word: unsigned [32], 128 B"), std::string::npos) << text;
}

TEST_F(CliShow, CompactArraysHaveBytesBeforeAndAfter) {
  const char* const design =
      "compress | thread_rows rows=1 | thread_total | global_store | compact | launch threads=64";
  const json format = show_json(design, "--stage format");
  for (const json& array : format["computed"]) {
    EXPECT_LE(array["bytes"], array["bytes_before"]) << array;
    EXPECT_FALSE(array["how"].get<std::string>().empty()) << array;
  }
  EXPECT_LT(format["format_bytes"], format["full_format_bytes"]);
  EXPECT_EQ(format["full_format_bytes"], format["csr_bytes"]) << "csr-scalar has CSR's arrays";
}

TEST_F(CliShow, TheFormatSaysWhatRoundingHasLost) {
  set_contents(folder / "m.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0.1\n2 2 0.5\n");
  const auto design = [](const std::string& choice) {
    return "compress | thread_rows rows=1 | thread_total | global_store | compact values=" +
           choice + " | launch threads=32";
  };
  const json rounded = show_json(design("rounded"), "--stage format --dtype f64");
  EXPECT_NEAR(rounded["value_error"].get<double>(), 1.49e-8, 1e-10);
  EXPECT_EQ(named(rounded["arrays"], "name", "value")["type"], "F32");
  EXPECT_NE(
      show(design("rounded"), "--stage format --dtype f64")
          .out.find("\nrounded  values are stored as float, largest relative error 1.5e-08\n"),
      std::string::npos);
  const json single = show_json(design("single"), "--stage format --dtype f64");
  EXPECT_EQ(single["value_error"], 0);
  EXPECT_EQ(named(single["arrays"], "name", "value")["type"], "F64");
  EXPECT_EQ(show(design("single"), "--stage format --dtype f64").out.find("rounded  "),
            std::string::npos);
  EXPECT_EQ(show_json(design("rounded"), "--stage format --dtype f32")["value_error"], 0);
}

TEST_F(CliShow, TheSourceIsTheKernels) {
  const CliOutcome outcome = show("csr5", "--stage source --dtype f64");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("__global__"), std::string::npos);
  EXPECT_NE(outcome.out.find("double"), std::string::npos);
}

TEST_F(CliShow, EveryNamedDesignOrAReason) {
  for (const NamedDesign& named : named_designs(Target::gpu)) {
    for (const char* stage : {"store", "format", "source"}) {
      const CliOutcome outcome = show(std::string(named.name), fmt::format("--stage {}", stage));
      if (outcome.status != 0) expect_error(outcome, 2, "design refused: ");
      EXPECT_NE(outcome.out.empty(), outcome.status == 0) << named.name << " " << stage;
    }
  }
}

TEST_F(CliShow, PtxNeedsNvrtcAndNoGpu) {
  const CliOutcome outcome = show("csr-scalar", "--stage ptx --device emulated:a100");
  if (!nvrtc()) {
    expect_error(outcome, 4, "PTX needs NVRTC");
    return;
  }
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(".target sm_80"), std::string::npos);
  EXPECT_EQ(show("csr-scalar", "--stage ptx --device emulated").status, 0);
}

TEST_F(CliShow, AssemblyOfAmdNeedsClangAndNoGpu) {
  const std::string words = "show m.mtx --design csr-vector --device emulated:mi250x --stage ";
  expect_error(run_cli(folder, words + "asm", "ALPHASPARSE_HIP_CLANG=/nowhere/clang"), 4,
               "apt-get install clang-19");
  expect_error(run_cli(folder, words + "ptx"), 2, "PTX is of GPUs of NVIDIA");
  if (!hip_clang()) GTEST_SKIP() << "nothing was compiled: " << hip_clang().reason();
  const CliOutcome outcome = run_cli(folder, words + "asm");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("amdgcn-amd-amdhsa--gfx90a"), std::string::npos);
  EXPECT_EQ(parse_amd_metadata(outcome.out).front().name, "spmv");
}

TEST_F(CliShow, BadInputs) {
  expect_error(run_cli(folder, "show m.mtx --stage store"), 2, "--design is required");
  expect_error(run_cli(folder, "show m.mtx --design csr5"), 2, "--stage is required");
  expect_error(show("csr5", "--stage sass"), 2,
               "--stage wants store, format, body, source, ptx or asm, not 'sass'");
  expect_error(show("nope", "--stage store"), 2, "nope");
  expect_error(show("compress | launch threads=32", "--stage store"), 2, "launch: ");
  expect_error(show("compress | launch threads=32", "--stage format"), 2, "launch: ");
  expect_error(show("csr5", "--stage source --json"), 2, "stages store and format");
  expect_error(show("csr5", "--stage ptx --device banana"), 2, "banana");
  expect_error(show("csr5", "--stage ptx --device emulated:banana"), 2, "banana");
  expect_error(run_cli(folder, "show missing.mtx --design csr5 --stage store"), 2, "missing.mtx");
}

/// The body after each pass: lines that a pass adds, and values that nothing reads.
TEST_F(CliShow, BodyShowsTheTreeAfterEachPass) {
  const CliOutcome outcome = show("csr-vector", "--stage body");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::size_t at = 0;
  for (const char* const pass :
       {"levels: ", "products: ", "tiles: ", "reduction: ", "sums: ", "barriers: ", "unread: "}) {
    const std::size_t found = outcome.out.find(pass, at);
    ASSERT_NE(found, std::string::npos) << pass << "\n" << outcome.out;
    at = found;
  }
  EXPECT_NE(outcome.out.find("+   let const auto term = "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("<- f, x\n"), std::string::npos) << outcome.out;
  expect_error(show("csr-vector", "--stage body --json"), 2, "body, source, ptx and asm");
}

TEST_F(CliShow, AMatrixWithoutEntriesHasNoBody) {
  set_contents(folder / "e.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 0\n");
  const CliOutcome outcome =
      run_cli(folder, "show e.mtx --device emulated --design coo --stage body");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "no body: no branch has rows or entries to add up\n");
}

}  // namespace
}  // namespace alphasparse
