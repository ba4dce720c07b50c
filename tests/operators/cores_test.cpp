// cores: one core and several build the same kernels, byte for byte, of a matrix that is long
// enough for several.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/ranges.h"
#include "operators/designer.h"

namespace alphasparse {
namespace {

/// Rows of 0 to 59 entries, in runs of three by bands of three rows and far from them. The last
/// part of the matrix has some values that the first has not.
Matrix large_matrix() {
  std::mt19937_64 random(1);
  Matrix matrix;
  matrix.rows = matrix.cols = 36'000;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    const std::int32_t band = row / 3;
    const std::int32_t length = band % 97 == 0 ? 0 : band * 31 % 60;
    const std::int32_t apart = band % 5 == 0 ? 1700 : band % 7 == 0 ? 3 : 30;
    for (std::int32_t k = 0; k < length; ++k)
      matrix.col.push_back(band % 600 * 3 + k / 3 * apart + k % 3);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  for (std::int64_t nz = 0; nz < matrix.nnz(); ++nz) {
    const std::uint64_t different = nz < matrix.nnz() / 2 ? 5 : 300;
    matrix.value.push_back(1.0 + static_cast<double>(random() % different) / 8);
  }
  return matrix;
}

Kernel built_by(int cores, const Matrix& matrix, const std::string& design) {
  const CoresForRanges limit(cores);
  Result<Kernel> kernel = Designer(matrix).build(design, Dtype::f64);
  EXPECT_TRUE(kernel.ok()) << kernel.reason();
  return kernel ? std::move(*kernel) : Kernel{};
}

void expect_same(const Kernel& kernel, const Kernel& other) {
  EXPECT_EQ(kernel.source, other.source);
  ASSERT_EQ(kernel.arrays.size(), other.arrays.size());
  for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
    const Array &array = kernel.arrays[i], &same = other.arrays[i];
    SCOPED_TRACE(array.name);
    EXPECT_EQ(array.name, same.name);
    EXPECT_TRUE(array.bytes == same.bytes);
    EXPECT_TRUE(array.value_source == same.value_source);
    EXPECT_TRUE(array.value_code == same.value_code);
  }
}

TEST(Cores, MakeTheSameHoweverManyThereAre) {
  const Matrix matrix = large_matrix();
  ASSERT_EQ(check_canonical(matrix), "");
  ASSERT_GT(matrix.nnz(), 3 * range_least);
  const std::string rows = "compress | thread_rows rows=1 | thread_total | global_store | ";
  const std::string slices =
      "sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
      "thread_pad | interleave | thread_total | global_store | ";
  const std::string tiles =
      "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | "
      "warp_segment | global_atomic | ";
  const std::string gpu = " | launch threads=128", cpu = " | launch tasks=bytes";
  const std::vector<std::string> designs = {
      rows + "compact columns=packed" + gpu,
      rows + "compact columns=narrow values=single" + gpu,
      rows + "compact columns=runs" + gpu,
      rows + "compact columns=deltas" + gpu,
      slices + "compact columns=fewest" + gpu,
      slices + "compact columns=packed values=full" + gpu,
      slices + "compact columns=deltas" + gpu,
      slices + "compact columns=bytes structure=bytes" + cpu,
      tiles + "compact columns=packed structure=packed" + gpu,
      tiles + "compact columns=full structure=narrow" + cpu,
      "bitmap_block_peel cols=8 share=5 { compress | thread_rows rows=1 | thread_total | "
      "global_store | launch threads=128 } { compress | thread_nnz nnz=1 | thread_total | "
      "global_atomic | launch threads=128 }"};
  for (const std::string& design : designs) {
    SCOPED_TRACE(design);
    const Kernel by_one = built_by(1, matrix, design);
    for (const int cores : {2, 3}) expect_same(by_one, built_by(cores, matrix, design));
  }
}

}  // namespace
}  // namespace alphasparse
