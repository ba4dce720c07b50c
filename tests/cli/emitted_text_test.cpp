// ctest label: emulator
// cli_emitted_text: emitted files have no long lines, and their heads tell the device and the kind
// of its times. tools/compile_emitted refuses unknown compilers and designs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

const std::string root = ALPHASPARSE_SOURCE_DIR;

void emit(const TestFolder& folder, const std::string& design, const std::string& words,
          const std::string& matrix = root + "/examples/plskz362.mtx.gz") {
  const CliOutcome outcome = run_cli(
      folder,
      fmt::format("emit {} --name 'a {}' --design {} -o out {}", matrix, design, design, words));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
}

TEST(CliEmittedText, NoLineIsLong) {
  const TestFolder folder;
  for (const std::string design : {"csr-scalar", "csr5", "merge-csr"}) {
    emit(folder, design, "--device emulated:h200 --prefix a");
    emit(folder, design, "--device cpu:1 --runtime shared --prefix another_prefix_of_some_length");
  }
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "out")) {
    if (entry.path().extension() == ".safetensors") continue;
    ++files;
    const std::string text = contents(entry.path());
    // A command in the head has any length, and so has a text in quotes.
    const std::size_t code = text.find("#define ALPHASPARSE_KERNEL_FILE");
    std::istringstream lines(code == std::string::npos ? "" : text.substr(code));
    for (std::string line; std::getline(lines, line);) {
      if (line.find('"') == std::string::npos) {
        EXPECT_LE(line.size(), 100U) << entry.path() << ": " << line;
      }
    }
  }
  EXPECT_GE(files, 16);
}

TEST(CliEmittedText, NoLineOfAGoldenSourceIsLong) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root + "/tests/golden")) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".cu" && ending != ".cpp") continue;
    ++files;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      EXPECT_LE(line.size(), 100U) << entry.path() << ": " << line;
  }
  EXPECT_GE(files, 40);
}

TEST(CliEmittedText, TheHeadTellsTheDeviceAndTheKindOfItsTimes) {
  const TestFolder folder;
  emit(folder, "csr-scalar", "--device emulated:h200");
  emit(folder, "csr-scalar", "--device cpu:1");
  const std::string modelled = contents(folder / "out/a csr-scalar.cu"),
                    measured = contents(folder / "out/a csr-scalar.cpu.cpp");
  EXPECT_TRUE(
      std::regex_search(modelled, std::regex("\n//   device   .*, whose times are modelled\n")));
  EXPECT_TRUE(
      std::regex_search(measured, std::regex("\n//   device   .*, whose times are measured\n")));
}

/// tools/compile_emitted with variables and words, into a folder.
CommandOutcome compile_emitted(const std::string& variables, const std::string& words,
                               const std::filesystem::path& into) {
  return run_command(fmt::format("PROGRAM='{}' {} '{}/tools/compile_emitted' {} '{}' 2>&1",
                                 cli_program(), variables, root, words, into.string()));
}

// A compiler or a design that does not exist must not look like one without warnings.
TEST(CompileEmitted, RefusesNamesThatDoNotExist) {
  struct Refused {
    const char *variables, *words, *reason;
  };
  std::vector<Refused> cases = {
      {"", "--root g++-14", "--root wants NAME=FOLDER, not 'g++-14'"},
      {"", "--root tcc=/", "--root: 'tcc' is no g++, clang++ or nvcc; name one of them"},
      {"", "--designs 'csr-scalar ele'", "no named design is 'ele'; "},
      {"COMPILERS=tcc", "", "COMPILERS: 'tcc' is no g++, clang++, nvcc, hipcc or clang; name one"},
      {"JOBS=0", "", "JOBS is '0', no number of compilers from 1 on"}};
  if (::geteuid() == 0) cases.push_back({"", "--root g++-0=/", "--root: no 'g++-0' runs in '/'; "});
  const TestFolder folder;
  for (const auto& [variables, words, reason] : cases) {
    const CommandOutcome outcome = compile_emitted(variables, words, folder / "emitted");
    EXPECT_EQ(outcome.status, 2) << variables << words << "\n" << outcome.output;
    EXPECT_TRUE(outcome.output.starts_with(std::string("compile_emitted: ") + reason))
        << outcome.output;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "emitted"));
}

}  // namespace
}  // namespace alphasparse
