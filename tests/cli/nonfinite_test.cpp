// cli_nonfinite: designs with pads that make NaN of an Inf say so, and --nonfinite exact leaves
// them out. ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

constexpr const char* padded = "where x has Inf, a row with pads may be NaN in the place of Inf";
constexpr const char* exact = "where x has Inf or NaN, y has the values of IEEE arithmetic";

struct CliNonFinite : ::testing::Test {
  CliNonFinite() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 1 1\n2 2 1\n");
  }

  /// y for x = {inf, 1}, as C prints it.
  std::string product(const std::string& design) {
    const CliOutcome outcome =
        run_cli(folder, "emit m.mtx --device cpu:1 -o out --design " + design);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    set_contents(folder / "out/app.c",
                 "#include <math.h>\n#include <stdio.h>\n#include \"m.cpu.h\"\n"
                 "int main(void) {\n  alphasparse_handle* h;\n  float x[] = {INFINITY, 1}, y[2];\n"
                 "  if (m_cpu_load(\"m.cpu.safetensors\", &h)) return 1;\n"
                 "  m_cpu_spmv(h, x, y, 1, 0);\n"
                 "  printf(\"%g %g\", fabs(y[0]), fabs(y[1]));\n  return 0;\n}\n");
    const CommandOutcome ran = run_command(fmt::format(
        "cd '{}/out' && gcc -c app.c && g++ -std=c++17 -O0 -fopenmp -c m.cpu.cpp && g++ -fopenmp "
        "app.o m.cpu.o -o app && ./app",
        folder.path().string()));
    EXPECT_EQ(ran.status, 0) << ran.output;
    return ran.output;
  }

  TestFolder folder;
};

TEST_F(CliNonFinite, TheHeaderSaysWhatTheKernelDoes) {
  EXPECT_EQ(product("ell"), "nan inf");
  EXPECT_NE(contents(folder / "out/m.cpu.cpp").find(padded), std::string::npos);
  EXPECT_EQ(product("csr-scalar"), "inf inf");
  EXPECT_NE(contents(folder / "out/m.cpu.cpp").find(exact), std::string::npos);
}

TEST_F(CliNonFinite, ShowNamesIt) {
  for (const auto& [design, name, doc] :
       {std::tuple{"ell", "pads", padded}, std::tuple{"bsr", "pads", padded},
        std::tuple{"dia", "pads", padded}, std::tuple{"jds", "exact", exact}}) {
    const std::string show =
        fmt::format("show m.mtx --device emulated --design {} --stage format", design);
    EXPECT_EQ(json::parse(run_cli(folder, show + " --json").out)["nonfinite"], name) << design;
    EXPECT_NE(run_cli(folder, show).out.find(fmt::format("inf, nan {}: {}\n", name, doc)),
              std::string::npos);
  }
}

TEST_F(CliNonFinite, EmitRefusesWhatIsNotExact) {
  const std::string emit = "emit m.mtx --device cpu:1 -o out --nonfinite exact --json --design ";
  const CliOutcome ell = run_cli(folder, emit + "ell");
  EXPECT_EQ(ell.status, 2);
  EXPECT_NE(ell.err.find(padded), std::string::npos) << ell.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "out/m.cpu.cpp"));
  const CliOutcome csr = run_cli(folder, emit + "csr-scalar");
  EXPECT_EQ(csr.status, 0) << csr.err;
  EXPECT_EQ(json::parse(csr.out)["nonfinite"], "exact");
  EXPECT_EQ(run_cli(folder, emit + "csr-scalar --nonfinite some").status, 2);
}

TEST_F(CliNonFinite, ASearchLeavesThemOutAndTheDatabaseKnowsTheQuestion) {
  const std::string tune =
      "tune m.mtx --device emulated:h200 --trials 30 --db t.db -o out --json --explain ";
  const json any = json::parse(run_cli(folder, tune).out);
  EXPECT_EQ(any["nonfinite"], "pads");
  const CliOutcome outcome = run_cli(folder, tune + "--nonfinite exact");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["nonfinite"], "exact");
  EXPECT_NE(result["tier"], "exact") << "the other search has no answer to it";
  int left_out = 0;
  for (const json& one : result["outcomes"]) {
    const std::string reason = one.value("reason", "");
    left_out += reason.find("; --nonfinite exact forbids it") != std::string::npos;
  }
  EXPECT_GT(left_out, 0);
  const std::string design = result["design"];
  const json format = json::parse(
      run_cli(
          folder,
          fmt::format("show m.mtx --device emulated --design '{}' --stage format --json", design))
          .out);
  EXPECT_EQ(format["nonfinite"], "exact") << design;
  EXPECT_EQ(json::parse(run_cli(folder, tune + "--nonfinite exact").out)["tier"], "exact");
}

}  // namespace
}  // namespace alphasparse
