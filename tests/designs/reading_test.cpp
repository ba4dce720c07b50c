// reading: the generated kernels that docs/reading-a-kernel.md shows are those that the generator
// writes.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// The matrix of the page: 2000 rows of 1 to 49 entries.
Matrix matrix_of_the_page() {
  std::vector<std::vector<std::pair<int, double>>> rows(2000);
  for (int row = 0; row < 2000; ++row) {
    for (int entry = 0; entry <= row * 7 % 49; ++entry)
      rows[row].push_back({entry * 40 + row * 13 % 40, 1.0 / (1 + row + entry)});
  }
  return from_rows(2000, rows);
}

/// A block of the page behind a line that begins with "Generated", its section and its target. The
/// heading "NAME, K vectors" is that of a kernel for so many.
struct Shown {
  Shown(const std::string& section, Target its_target)
      : design(section.substr(0, section.find(','))), target(its_target) {
    if (design != section) operands = {Dtype::f64, std::stoi(section.substr(design.size() + 1))};
  }

  std::string design, text;
  Target target;
  Operands operands{Dtype::f64};
};

std::vector<Shown> shown_kernels(const std::string& page) {
  std::vector<Shown> all;
  std::istringstream lines(page);
  std::string section;
  bool is_generated = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (line.starts_with("Generated")) is_generated = true;
    if (!line.starts_with("```")) continue;
    Shown one(section, line == "```cpp" ? Target::cpu : Target::gpu);
    while (std::getline(lines, line) && line != "```") one.text += line + "\n";
    if (std::exchange(is_generated, false)) all.push_back(one);
  }
  return all;
}

TEST(Reading, ThePageShowsGeneratedKernels) {
  const Matrix matrix = matrix_of_the_page();
  Designer designer(matrix);
  const std::vector<Shown> all =
      shown_kernels(contents(ALPHASPARSE_SOURCE_DIR "/docs/reading-a-kernel.md"));
  EXPECT_EQ(all.size(), 7U);
  for (const Shown& one : all) {
    const Result<Kernel> kernel =
        designer.build(resolve_design(one.design, one.target), one.operands);
    ASSERT_TRUE(kernel.ok()) << one.design << ": " << kernel.reason();
    EXPECT_NE(kernel->source.find(one.text), std::string::npos)
        << one.design << (one.target == Target::cpu ? " on a CPU" : " on a GPU")
        << " is another text now:\n"
        << kernel->source.substr(kernel->source.find("struct Format"), 4000);
  }
}

}  // namespace
}  // namespace alphasparse
