// ctest label: emulator
// cli_hip: kernels for GPUs of AMD. They are verified by the emulator, in HIP's words, and taken by
// its compiler where one is here. No such GPU runs them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <tuple>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

struct CliHip : ::testing::Test {
  TestFolder folder;
  const std::string matrix = ALPHASPARSE_SOURCE_DIR "/examples/plskz362.mtx.gz";

  CliOutcome emit(const std::string& words, const std::string& device = "emulated:mi250x") {
    return run_cli(folder, fmt::format("emit {} --device {} {}", matrix, device, words));
  }
};

void expect_hip(const std::string& text) {
  const std::regex words("cuda(?!_error)|CUDA|nvcc|sm_[0-9]|CUstream");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool is_comment = line.find("//") == line.find_first_not_of(' ');
    EXPECT_TRUE(is_comment || !std::regex_search(line, words)) << line;
  }
}

void expect_short_lines(const std::string& text) {
  std::istringstream lines(text.substr(text.find("#define ALPHASPARSE_KERNEL_FILE")));
  for (std::string line; std::getline(lines, line);) {
    if (line.find('"') == std::string::npos) {
      EXPECT_LE(line.size(), 100U) << line;
    }
  }
}

TEST_F(CliHip, FilesSpeakHip) {
  for (const std::string& words :
       {std::string("-o one --design csr5 --dtype f64"), std::string("-o two --design merge-csr"),
        std::string("-o many --design csr-vector --vectors 8"),
        std::string("-o complex --design sell-c-sigma --dtype c128"),
        std::string("-o shared --design csr5 --runtime shared")}) {
    const CliOutcome outcome = emit(words);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("are fitted to public times of MI250X"), std::string::npos)
        << outcome.err;
    const std::string place = words.substr(3, words.find(' ', 3) - 3);
    const std::string source = contents(folder / (place + "/plskz362.hip"));
    EXPECT_NE(source.find("#include <hip/hip_runtime.h>"), std::string::npos);
    EXPECT_NE(source.find("hipcc"), std::string::npos);
    expect_hip(source);
    if (place != "many") expect_short_lines(source);
    const std::string header = contents(folder / (place + "/plskz362.h"));
    EXPECT_NE(header.find("struct ihipStream_t* stream"), std::string::npos);
    expect_hip(header);
    const CommandOutcome in_c = run_command(
        fmt::format("gcc -x c -std=c99 -Wall -Wextra -Werror -fsyntax-only {}/plskz362.h",
                    (folder / place).string()));
    EXPECT_EQ(in_c.status, 0) << in_c.output;
    EXPECT_FALSE(std::filesystem::exists(folder / (place + "/plskz362.kernel.cu")));
  }
  expect_hip(contents(folder / "shared/alphasparse_hip_runtime.h"));
}

TEST_F(CliHip, CompilersTakeThem) {
  const char* const clang =
      "clang-19 -x hip --rocm-path=/usr --offload-arch=gfx90a "
      "-nogpulib -std=c++17 -Wall -Wextra -Werror -fsyntax-only ";
  const std::string nothing = (folder / "nothing.hip").string();
  set_contents(nothing, "#include <hip/hip_runtime.h>\n");
  if (run_command(clang + nothing).status != 0)
    GTEST_SKIP() << "no file was compiled: clang-19 or HIP's headers are not here (tools/setup "
                    "--all)";
  // Programs, but of several vectors a library.
  for (const auto& [place, words, option] :
       {std::tuple("one", "--design csr5 --dtype f64", "-DALPHASPARSE_MAIN "),
        {"two", "--design sell-c-sigma --dtype c64", "-DALPHASPARSE_MAIN "},
        {"three", "--design csr-vector --vectors 8", ""},
        {"four", "--design merge-csr --runtime shared", "-DALPHASPARSE_MAIN "}}) {
    const CliOutcome outcome = emit(fmt::format("-o {} {}", place, words));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const CommandOutcome made =
        run_command(clang + (option + (folder / (std::string(place) + "/plskz362.hip")).string()));
    EXPECT_EQ(made.status, 0) << words << made.output;
  }
}

TEST_F(CliHip, FilesOfTheOtherDialectAreKept) {
  ASSERT_EQ(emit("-o out --design csr5").status, 0);
  const std::string before = contents(folder / "out/plskz362.h");
  const CliOutcome refused = emit("-o out --design csr5", "emulated:h200");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("plskz362.hip is there, whose header"), std::string::npos)
      << refused.err;
  EXPECT_EQ(contents(folder / "out/plskz362.h"), before);
  EXPECT_EQ(emit("-o out --design csr5").status, 0) << "its own files are written anew";
}

TEST_F(CliHip, SearchesAndTablesKnowTheModels) {
  const std::string tune = fmt::format(
      "tune {} --name m -o out --trials 6 --quiet --json --device emulated:mi300x --db t.db",
      matrix);
  const CliOutcome first = run_cli(folder, tune);
  ASSERT_EQ(first.status, 0) << first.err;
  const nlohmann::json result = nlohmann::json::parse(first.out);
  EXPECT_TRUE(result["files"]["source"].get<std::string>().ends_with("m.hip")) << first.out;
  EXPECT_FALSE(result["files"].contains("cu"));
  EXPECT_EQ(result["gpu"]["arch"], "gfx942");
  EXPECT_NE(result["gpu"]["version"].get<std::string>().find("unfitted"), std::string::npos);
  const CliOutcome fitted =
      run_cli(folder, fmt::format("tune {} --trials 2 -o out2 --json --device emulated:mi250x "
                                  "--report page.html --db t.db",
                                  matrix));
  for (const std::string& said :
       {fitted.err, nlohmann::json::parse(fitted.out)["gpu"]["version"].get<std::string>(),
        contents(folder / "page.html")})
    EXPECT_NE(said.find("fitted to public times of MI250X"), std::string::npos) << said;
  for (const char* const words :
       {"bench {} --device emulated:mi210",
        "ablate {} --device emulated:mi100 --design 'compress | thread_rows rows=1 | thread_total "
        "| global_store | compact columns=deltas | launch threads=64'"}) {
    const CliOutcome outcome = run_cli(folder, fmt::format(fmt::runtime(words), matrix));
    EXPECT_EQ(outcome.status, 0) << words << outcome.err;
  }
}

}  // namespace
}  // namespace alphasparse
