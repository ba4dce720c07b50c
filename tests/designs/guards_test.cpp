// guards: a kernel for GPUs leaves out the guard of a unit where the guard of its children implies
// it, and only there.
// ctest label: emulator
#include <gtest/gtest.h>

#include <string>

#include "operators/designer.h"
#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"

namespace alphasparse {
namespace {

/// 529 rows: the last warp of 32 is not full.
const Matrix& matrix() {
  static const Matrix all = battery_matrix("stencil_23");
  return all;
}

const std::string rows_of_warps =
    "warp_rows rows=32 | thread_rows rows=1 | thread_total | global_store | launch threads=128";

std::string source_of(const std::string& design) {
  const Result<Kernel> kernel = Designer(matrix()).build(design, Dtype::f64);
  EXPECT_TRUE(kernel.ok()) << kernel.reason();
  return kernel.ok() ? kernel->source : "";
}

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(Guards, OfTheLastWarpIsLeftOutBeforeThatOfTheLastRow) {
  const std::string source = source_of("compress | " + rows_of_warps);
  EXPECT_TRUE(holds(source, "if (row < rows) {")) << source;
  EXPECT_FALSE(holds(source, "if (warp < ")) << source;
}

/// A block has two warps of rows and four of threads. The others would take the rows of the next
/// block, which has them too.
TEST(Guards, OfTheWarpsOfABlockStay) {
  const std::string design = "compress | block_rows rows=64 | " + rows_of_warps;
  const std::string source = source_of(design);
  EXPECT_TRUE(holds(source, "if (row < rows) {")) << source;
  EXPECT_TRUE(holds(source, "if (warp < f.block_first_warp(block + 1)) {")) << source;
  EXPECT_EQ(design_problem(*open_emulated_device("h200"), matrix(), design, Dtype::f64), "");
}

}  // namespace
}  // namespace alphasparse
