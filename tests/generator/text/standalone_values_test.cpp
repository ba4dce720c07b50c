// standalone_values: values and columns that a standalone file's loader takes, and those that it
// refuses, where values are stored once for several entries.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/result.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/formats/format_file.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"
#include "tests/support/sample_kernel.h"
#include "tests/support/standalone_sample.h"

namespace alphasparse {
namespace {

/// Values above the diagonal only; its threads do not meet.
Kernel mirrored_kernel(const Matrix& matrix, Dtype dtype) {
  return *Designer(matrix).build(
      "symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | launch "
      "threads=32",
      dtype);
}

/// Expects that the driver accepts this text, compiled as usual and for fast arithmetic, which
/// knows no Inf, NaN or denormal.
void expect_kept_promises(const TestFolder& folder, const std::string& text,
                          const std::string& file, const std::string& arguments,
                          const std::vector<const char*>& all_options = {"", "-Ofast"}) {
  for (const char* const options : all_options) {
    const CommandOutcome compiled = compile(folder, text + driver(file), options);
    ASSERT_EQ(compiled.status, 0) << compiled.output;
    const CommandOutcome outcome = run_sample(folder, arguments);
    EXPECT_EQ(outcome.status, 0) << options << outcome.output;
  }
}

TEST(Standalone, OneTriangleTakesNoValuesThatDoNotMirrorSo) {
  for (const double sign : {1., -1.}) {
    const TestFolder folder;
    const Matrix matrix =
        from_rows(3, {{{0, sign > 0}, {1, 2.}}, {{0, sign * 2}, {2, 3.}}, {{1, sign * 3}}});
    const std::string text = write_sample(folder, matrix, mirrored_kernel(matrix, Dtype::f32));
    const std::string kind = mirror_kind(find_mirror(matrix)).matrix;
    expect_kept_promises(folder, text, "mirror_driver.cpp", "a.safetensors " + kind);
  }
}

/// Values as codes; its threads do not meet.
Kernel coded_kernel(const Matrix& matrix, Dtype dtype) {
  return *Designer(matrix).build(
      "compress | thread_rows rows=1 | thread_total | global_store | compact columns=full "
      "structure=full | launch threads=32",
      dtype);
}

TEST(Standalone, CodesTakeNoValuesThatDifferWhereTheyAreShared) {
  const TestFolder folder;
  std::vector<std::vector<std::pair<int, double>>> rows(100);
  for (int row = 0; row < 100; ++row) rows[row] = {{row % 3, row % 2 == 0 ? 1. : 2.}};
  const Matrix matrix = from_rows(3, rows);
  const Kernel kernel = coded_kernel(matrix, Dtype::f32);
  ASSERT_TRUE(std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                          [](const Array& array) { return array.is_dictionary(); }));
  const std::string text = write_sample(folder, matrix, kernel);
  expect_kept_promises(folder, text, "codes_driver.cpp", "a.safetensors");
}

/// Doubles that are stored as float: row + `offset` in row; its threads do not meet.
Matrix singles(double offset) {
  std::vector<std::vector<std::pair<int, double>>> rows(100);
  for (int row = 0; row < 100; ++row) rows[row] = {{row % 3, row + offset}};
  return from_rows(3, rows);
}

Kernel singles_kernel(const Matrix& matrix, const std::string& choice) {
  return *Designer(matrix).build(
      "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
      "compact columns=full structure=full values=" +
          choice + " | launch threads=32",
      Dtype::f64);
}

TEST(Standalone, FloatsTakeTheValuesThatTheyHold) {
  for (const auto& [choice, offset] :
       {std::pair{"single", 0.5}, {"rounded", 0.5}, {"rounded", 0.1}}) {
    SCOPED_TRACE(fmt::format("{} {}", choice, offset));
    const TestFolder folder;
    const Matrix matrix = singles(offset);
    const std::string text = write_sample(folder, matrix, singles_kernel(matrix, choice));
    EXPECT_TRUE(contains(text, "const float* value_;"));
    EXPECT_EQ(contains(text, "//   rounded  values are stored as float, largest relative error "),
              offset == 0.1);
    // Both matrices of rounded values have the same code, and a long run compiles it for both.
    const bool shares = choice == std::string("rounded") && !std::getenv("ALPHASPARSE_LONG");
    using All = std::vector<const char*>;
    expect_kept_promises(folder, text, "singles_driver.cpp",
                         fmt::format("a.safetensors {} {}", choice, offset),
                         shares ? All{offset == 0.5 ? "" : "-Ofast"} : All{"", "-Ofast"});
  }
}

TEST(Standalone, TheProgramOfFloatsKnowsWhatIsStored) {
  for (const auto& [choice, last] : {std::pair{"single", 0.25}, {"rounded", 0.1}}) {
    const TestFolder folder;
    Matrix matrix = singles(0.5);
    matrix.value.front() = double{std::numeric_limits<float>::min()} * 3;
    matrix.value.back() = last;
    const std::string text = write_sample(folder, matrix, singles_kernel(matrix, choice));
    ASSERT_EQ(compile(folder, text, "-DALPHASPARSE_MAIN").output, "");
    const CommandOutcome outcome = run_sample(folder, "");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "y = A x, other values: right")) << outcome.output;
  }
}

TEST(Standalone, TheProgramOfCodesKnowsTheWholeMatrix) {
  const TestFolder folder;
  const Matrix matrix = battery().back().matrix;
  const std::string text = write_sample(folder, matrix, coded_kernel(matrix, Dtype::f64));
  ASSERT_EQ(compile(folder, text, "-DALPHASPARSE_MAIN").output, "");
  const CommandOutcome outcome = run_sample(folder, "");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "y = A x, other values: right")) << outcome.output;
}

TEST(Standalone, TheProgramOfOneTriangleKnowsTheWholeMatrix) {
  const TestFolder folder;
  const std::vector<NamedMatrix> all = battery();
  const auto found = std::find_if(all.begin(), all.end(), [](const NamedMatrix& entry) {
    return entry.name == "symmetric_97";
  });
  ASSERT_NE(found, all.end());
  const std::string text =
      write_sample(folder, found->matrix, mirrored_kernel(found->matrix, Dtype::f64));
  ASSERT_EQ(compile(folder, text, "-DALPHASPARSE_MAIN").output, "");
  const CommandOutcome outcome = run_sample(folder, "");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "y = A x, other values: right")) << outcome.output;
}

}  // namespace
}  // namespace alphasparse
