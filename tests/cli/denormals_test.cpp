// cli_denormals: an emitted kernel gives right numbers in a program that another compiler's switch
// has told to read denormal numbers as 0. ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

constexpr int rows = 64;

/// Exact as denormal floats.
double value(int row, int k) { return (k == 0 ? 1 : -1) * (1 + row * 7919 % 4096) * 0x1p-149; }

std::string matrix_text() {
  std::string text =
      fmt::format("%%MatrixMarket matrix coordinate real general\n{0} {0} {1}\n", rows, 2 * rows);
  for (int row = 0; row < rows; ++row) {
    text += fmt::format("{} {} {}\n", row + 1, row + 1, value(row, 0));
    text += fmt::format("{} {} {}\n", row + 1, (row * 7 + 3) % rows + 1, value(row, 1) * 2);
  }
  return text;
}

/// Prints y of an x that is 1e40, and an 8192th of it less in every next place; before it "flushed"
/// where denormal floats are read as 0.
constexpr const char* program =
    "#include <stdio.h>\n"
    "#include \"m.cpu.h\"\n"
    "int main(void) {\n"
    "  alphasparse_handle* handle;\n"
    "  double x[64], y[64];\n"
    "  volatile float small = 0x1p-140f, one = 1;\n"
    "  printf(\"%s\", small * one == 0 ? \"flushed\" : \"kept\");\n"
    "  for (int i = 0; i < 64; ++i) x[i] = 1e40 * (1 - i / 8192.0);\n"
    "  if (m_cpu_load(\"m.cpu.safetensors\", &handle)) return puts(m_cpu_message()), 1;\n"
    "  if (m_cpu_spmv(handle, x, y, 1, 0)) return puts(m_cpu_message()), 1;\n"
    "  for (int i = 0; i < 64; ++i) printf(\" %.17g\", y[i]);\n"
    "  return 0;\n"
    "}\n";

double x_at(int i) { return 1e40 * (1 - i / 8192.0); }

TEST(CliDenormals, ValuesAreNoneInAProgramThatFlushesThem) {
  const TestFolder folder;
  set_contents(folder / "m.mtx", matrix_text());
  for (const char* const values : {"full", "single", "coded"}) {
    SCOPED_TRACE(values);
    const CliOutcome emitted = run_cli(
        folder,
        fmt::format("emit m.mtx --dtype f64 --device cpu:1 -o out --design 'compress | "
                    "thread_rows rows=1 | thread_total | global_store | compact values={} | "
                    "launch tasks=bytes'",
                    values));
    ASSERT_EQ(emitted.status, 0) << emitted.err;
    set_contents(folder / "out/app.c", program);
    const CommandOutcome outcome = run_command(fmt::format(
        "cd '{}/out' && gcc -std=c11 -c app.c && g++ -std=c++17 -O0 -fopenmp -c m.cpu.cpp && "
        "g++ -ffast-math -fopenmp app.o m.cpu.o -o app && ./app",
        folder.path().string()));
    ASSERT_EQ(outcome.status, 0) << outcome.output;
#if defined(__x86_64__)
    EXPECT_TRUE(outcome.output.starts_with("flushed")) << "the program proves nothing";
#endif
    std::size_t at = outcome.output.find(' ');
    for (int row = 0; row < rows; ++row) {
      ASSERT_NE(at, std::string::npos) << outcome.output;
      const int other = (row * 7 + 3) % rows;
      const double expected = value(row, 0) * x_at(row) + 2 * value(row, 1) * x_at(other);
      const double found = std::strtod(outcome.output.c_str() + at, nullptr);
      EXPECT_NEAR(found, expected, 1e-12 * std::abs(value(row, 0) * 3e40)) << row;
      at = outcome.output.find(' ', at + 1);
    }
  }
}

}  // namespace
}  // namespace alphasparse
