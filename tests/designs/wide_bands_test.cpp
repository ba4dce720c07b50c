// wide bands on the emulator: dense blocks of which a thread of a GPU loads several values at once.
// They lie on a grid or begin at entries. Some have gaps and empty rows. ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/emulated/device.h"
#include "runtime/formats/format_file.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"
#include "tests/support/files.h"
#include "tests/support/read_format.h"

namespace alphasparse {
namespace {

struct Shape {
  int rows, cols, vector;
};

const Shape shapes[] = {{2, 2, 2}, {2, 2, 4}, {4, 4, 2}, {4, 4, 4}, {1, 4, 4},
                        {3, 2, 2}, {2, 4, 4}, {2, 4, 2}, {4, 3, 4}};

/// 37 bands of up to five blocks of the shape. With gaps, every seventh row is empty, and a quarter
/// of the other entries is missing.
Matrix of_blocks(const Shape& shape, bool has_gaps) {
  const int bands = 37, blocks = 41;
  std::vector<std::vector<std::pair<int, double>>> rows(bands * shape.rows);
  for (int band = 0; band < bands; ++band) {
    for (int k = 0; k < (has_gaps ? band % 6 : 3); ++k) {
      const int first = (band * 7 + k * 8) % blocks * shape.cols;
      for (int row = band * shape.rows; row < (band + 1) * shape.rows; ++row) {
        for (int col = first; col < first + shape.cols; ++col) {
          if (has_gaps && (row % 7 == 3 || (row + 3 * col) % 4 == 0)) continue;
          rows[row].emplace_back(col, 1 + (row + col) % 5);
        }
      }
    }
  }
  return from_rows(blocks * shape.cols, rows);
}

/// The interleaved slices of a named design, or threads one behind the other.
std::string design_of(const Shape& shape, const std::string& from, bool in_runs) {
  return fmt::format(
      "dense_block_peel rows={} cols={} share=0 from={} {{ warp_bands bands=32 | thread_bands{} | "
      "thread_total vector={} | global_store | launch threads=64 }} {{ compress | thread_nnz nnz=1 "
      "| thread_total | global_atomic | launch threads=64 }}",
      shape.rows, shape.cols, from,
      in_runs ? fmt::format(" | thread_pad | interleave run={}", shape.vector) : "", shape.vector);
}

struct WideBands : testing::TestWithParam<bool> {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
};

TEST_P(WideBands, GiveTheSumsOfTheMatrix) {
  for (const Shape& shape : shapes) {
    const Matrix matrix = of_blocks(shape, GetParam());
    for (const char* const from : {"grid", "entry"}) {
      for (const bool in_runs : {true, false}) {
        const std::string design = design_of(shape, from, in_runs);
        for (const Dtype dtype : {Dtype::f32, Dtype::f64})
          EXPECT_EQ(design_problem(*device, matrix, design, dtype), "") << design;
      }
    }
  }
}

TEST_P(WideBands, LoadSixteenBytesAtMost) {
  for (const Shape& shape : shapes) {
    const Matrix matrix = of_blocks(shape, GetParam());
    for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
      const Result<Kernel> kernel =
          Designer(matrix).build(design_of(shape, "grid", true), dtype, no_build_limits);
      ASSERT_TRUE(kernel.ok()) << kernel.reason();
      const bool has_gaps =
          kernel->source.find("thread_total_band_wide_gaps<") != std::string::npos;
      EXPECT_EQ(has_gaps, GetParam());
      const std::string type = dtype == Dtype::f64 ? "double2"
                               : shape.vector == 4 ? "float4"
                                                   : "float2";
      EXPECT_NE(kernel->source.find("const " + type + " value = f.value"), std::string::npos);
      const bool twice = kernel->source.find("const double2 value_2 = ") != std::string::npos;
      EXPECT_EQ(twice, dtype == Dtype::f64 && shape.vector == 4);
    }
  }
}

TEST_P(WideBands, KeepTheMatrixInTheirFile) {
  const TestFolder folder;
  for (const Shape& shape : shapes) {
    const Matrix matrix = of_blocks(shape, GetParam());
    const Result<Kernel> kernel =
        Designer(matrix).build(design_of(shape, "entry", true), Dtype::f32, no_build_limits);
    ASSERT_TRUE(kernel.ok()) << kernel.reason();
    write_format_file(folder / "a.safetensors", *kernel, matrix, fingerprints(matrix));
    const Matrix read = matrix_of(read_format_file(folder / "a.safetensors"));
    EXPECT_EQ(read.col, matrix.col);
    EXPECT_EQ(read.value, matrix.value);
  }
}

INSTANTIATE_TEST_SUITE_P(All, WideBands, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "Gaps" : "Full"; });

}  // namespace
}  // namespace alphasparse
