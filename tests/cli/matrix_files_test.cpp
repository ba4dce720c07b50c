// cli_matrix_files: files of all kinds, as commands and folders meet them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "tests/support/archives.h"
#include "tests/support/cli.h"
#include "tests/support/matlab_files.h"

namespace alphasparse {
namespace {

using nlohmann::json;

const std::string small =
    "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 1.5\n1 3 -2\n2 2 4\n3 1 2\n";
const std::string vector_of_3 = "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n";

struct CliMatrixFiles : ::testing::Test {
  TestFolder folder;

  void put(const std::string& name, const std::string& bytes) {
    set_contents(folder / name, bytes);
  }

  void expect_error(const std::string& arguments, const std::string& text) {
    const CliOutcome outcome = run_cli(folder, arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }

  void expect_small(const std::string& file, const std::string& note = "") {
    const CliOutcome outcome = run_cli(folder, "inspect '" + file + "' --json");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, note);
    EXPECT_EQ(json::parse(outcome.out)["nnz"], 4);
  }
};

TEST_F(CliMatrixFiles, AnArchiveOfTheCollectionIsOneMatrix) {
  put("a.tar.gz", archived({{"a/a.mtx", small}, {"a/a_b.mtx", vector_of_3}}, "tar", "gzip"));
  const std::string note =
      "alphasparse: a.tar.gz: a/a_b.mtx belongs to a matrix beside it and is left out\n";
  expect_small("a.tar.gz", note);
  expect_small("a.tar.gz:a");
  expect_small("a.tar.gz:a/a.mtx");
  const CliOutcome emitted =
      run_cli(folder, "emit a.tar.gz --device cpu:1 --design csr-vector -o out");
  EXPECT_EQ(emitted.status, 0) << emitted.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/a.cpu.safetensors")) << emitted.out;
  const CliOutcome shown =
      run_cli(folder, "show a.tar.gz --device cpu --design csr-vector --stage store");
  EXPECT_EQ(shown.status, 0) << shown.err;
}

TEST_F(CliMatrixFiles, OneOfSeveralIsNamed) {
  put("two.zip",
      archived(
          {{"a.mtx", small},
           {"b.mat", matlab_file({matlab_sparse("A", 2, 3, {0, 1, 0}, {0, 1, 2, 3}, {1, -3, 2})})}},
          "zip"));
  expect_error("inspect two.zip",
               "is an archive of 2 matrices; name one, as two.zip:a.mtx: a.mtx, b.mat");
  expect_small("two.zip:a");
  const CliOutcome emitted =
      run_cli(folder, "emit two.zip:b --device cpu:1 --design csr-vector -o out");
  EXPECT_EQ(emitted.status, 0) << emitted.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/b.cpu.safetensors")) << emitted.out;
  expect_error("inspect two.zip:c", "two.zip has no file c; it holds a.mtx, b.mat");
  expect_error("inspect none.zip:c", "none.zip:c");
}

TEST_F(CliMatrixFiles, AFileWithAColonInItsNameIsThatFile) {
  put("a.mtx", small);
  put("a.mtx:b", small.substr(0, small.size() - 6) + "3 1 7\n");
  expect_small("a.mtx:b");
  expect_error("inspect a.mtx:c", "a.mtx is a Matrix Market file and has no parts; leave out :c");
}

TEST_F(CliMatrixFiles, HiddenFilesArePassedOver) {
  std::filesystem::create_directories(folder / "all/.ipynb_checkpoints");
  put("all/a.mtx", small);
  for (const char* const name : {"all/._a.mtx", "all/.b.mtx", "all/.ipynb_checkpoints/a-1.mtx"})
    put(name, small);
  std::filesystem::create_directory_symlink(".", folder / "all/self.mtx");
  std::filesystem::create_symlink("again.mtx", folder / "all/again.mtx");
  put("all/~c.mtx", small);
  const CliOutcome outcome =
      run_cli(folder, "tune all --device emulated:h100 --time 0 --quiet -o out --db t.db");
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("self.mtx is no file and is left out"), std::string::npos);
  EXPECT_NE(outcome.err.find("1 of 3 matrices failed, first: all/again.mtx: cannot be read"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("\n~c "), std::string::npos) << outcome.out;
  put("a.zip", archived({{"a.mtx", small}, {"./.old/a.mtx", small}}, "zip"));
  expect_small("a.zip");
  expect_small("a.zip:.old/a.mtx");
}

TEST_F(CliMatrixFiles, DashIsStandardInput) {
  put("a.mtx", small);
  put("a.zip", archived({{"a.mtx", small}, {"b.mtx", small}}, "zip"));
  const auto run = [&](const std::string& feed, const std::string& words, const std::string& from) {
    return run_command(fmt::format("cd '{}' && {} '{}' {} {}", folder.path().string(), feed,
                                   cli_program(), words, from));
  };
  for (const auto& [feed, words, from] : {std::tuple{"cat a.mtx |", "inspect - --json", ""},
                                          {"gzip -c a.mtx |", "inspect - --json", ""},
                                          {"", "inspect - --json", "< a.mtx"}}) {
    const CommandOutcome read = run(feed, words, from);
    ASSERT_EQ(read.status, 0) << read.output;
    EXPECT_EQ(json::parse(read.output)["name"], "stdin");
    EXPECT_EQ(json::parse(read.output)["nnz"], 4);
  }
  EXPECT_EQ(run("cat a.zip |", "inspect -:b", "").status, 0);
  const std::string design = " --design csr-scalar --device emulated:h100 ";
  EXPECT_EQ(run("cat a.mtx |", "emit -" + design, "").status, 0);
  EXPECT_NE(contents(folder / "stdin.cu").find("remake   alphasparse emit - --device"),
            std::string::npos);
  const std::string fifo = "rm -f p; mkfifo p; cat a.mtx > p &";
  EXPECT_EQ(run(fifo, "emit p --name k" + design, "").status, 0);
  EXPECT_NE(contents(folder / "k.cu").find("remake   alphasparse emit - --device"),
            std::string::npos);
  const std::string bench = " --designs csr-scalar --device emulated:h100";
  EXPECT_EQ(run("cat a.mtx |", "bench - a.mtx" + bench, "").status, 0);
  const CommandOutcome twice = run("", "bench - -" + bench, "< a.mtx");
  EXPECT_EQ(twice.status, 2);
  EXPECT_NE(twice.output.find("- is given twice, but standard input is one matrix"),
            std::string::npos)
      << twice.output;
}

TEST_F(CliMatrixFiles, AFolderLeavesOutCompanionsAndReadsAllKinds) {
  std::filesystem::create_directory(folder / "all");
  put("all/a.mtx", small);
  put("all/a_b.mtx", vector_of_3);
  put("all/c.smtx.xz", packed("2, 3, 3\n0 2 3\n0 2 1\n", "xz"));
  put("all/notes.txt", "no matrix");
  const CliOutcome outcome =
      run_cli(folder, "tune all --device emulated:h100 --time 0 --json --quiet -o out --db t.db");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err,
            "alphasparse: all: a_b.mtx belongs to a matrix beside it and is left out\n");
  EXPECT_TRUE(std::filesystem::exists(folder / "out/a.safetensors")) << outcome.out;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/c.safetensors")) << outcome.out;
}

TEST_F(CliMatrixFiles, WhatIsNoMatrixIsNamedInOneLine) {
  put("page.mtx.gz", packed("<!DOCTYPE html>\n<html>\n", "gzip"));
  expect_error("inspect page.mtx.gz", "is an HTML page, probably a failed download");
  put("empty.mtx", "%%MatrixMarket matrix coordinate real general\n0 5 0\n");
  expect_error("tune empty.mtx --device cpu:1",
               "empty.mtx:2: the matrix has 0 rows and 5 columns: there is nothing");
  put("page.mtx", "<html>");
  expect_error("emit page.mtx --design coo --device cpu:1", "is an HTML page");
}

}  // namespace
}  // namespace alphasparse
