// ctest label: emulator
// wide_loads: threads of equal non-zeros that load several neighbours at once. Their kernels have
// the wide loads, and are right where rows, tiles and threads do not come out even.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "operators/designer.h"
#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"

namespace alphasparse {
namespace {

struct WideDesign {
  const char* line;  ///< {} stands for the entries that are loaded at once
  const char* fragment;
};

constexpr WideDesign wide_designs[] = {
    {"compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave run={0} | thread_bitmap "
     "vector={0} | warp_segment | global_atomic | launch threads=128",
     "thread_bitmap_wide<16, {}>"},
    {"compress | warp_nnz nnz=512 | thread_nnz nnz=16 | thread_bitmap vector={0} | warp_segment | "
     "global_atomic | launch threads=128",
     "thread_bitmap_wide<16, {}>"},
    {"compress | thread_nnz nnz=12 | interleave run={0} | thread_bitmap vector={0} | global_atomic "
     "| launch threads=64",
     "thread_bitmap_wide<12, {}>"},
    {"compress | block_rows rows=1 | thread_nnz nnz=8 | interleave run={0} | thread_total "
     "vector={0} | shared_total | global_store | launch threads=64",
     "thread_total"},
    {"compress | block_rows rows=1 | thread_nnz nnz=8 | thread_total vector={0} | shared_total | "
     "global_store | launch threads=64",
     "thread_total"},
};

/// Rows of such lengths, with values that tell their places.
Matrix of_lengths(const std::vector<int>& lengths) {
  const int cols = std::max(1, *std::max_element(lengths.begin(), lengths.end()));
  std::vector<std::vector<std::pair<int, double>>> rows;
  for (const int length : lengths) {
    auto& row = rows.emplace_back();
    for (int k = 0; k < length; ++k)
      row.push_back({k, 1 + (static_cast<int>(rows.size()) * 5 + k * 3) % 11});
  }
  return from_rows(cols, rows);
}

std::vector<NamedMatrix> uneven_matrices() {
  std::vector<int> empty_between(301), growing(130);
  for (std::size_t row = 0; row < empty_between.size(); ++row)
    empty_between[row] = row % 3 == 1 ? static_cast<int>(row % 9) : 0;
  for (std::size_t row = 0; row < growing.size(); ++row) growing[row] = static_cast<int>(row % 27);
  return {{"fewer non-zeros than a run", of_lengths({1, 0, 1})},
          {"fewer than a tile, and no multiple", of_lengths({5, 0, 0, 7, 1, 26})},
          {"empty rows between others", of_lengths(empty_between)},
          {"one long row", of_lengths({2, 0, 1607, 3, 1})},
          {"rows of all lengths", of_lengths(growing)}};
}

/// The matrix with complex values where the type has them.
Matrix of_type(const Matrix& matrix, Dtype dtype) {
  return number_type(dtype).is_complex() ? complex_of(matrix) : matrix;
}

class WideLoads : public testing::TestWithParam<std::tuple<int, int, Dtype>> {};

TEST_P(WideLoads, AreRightWhereNothingComesOutEven) {
  const auto [design, vector, dtype] = GetParam();
  const std::string line = fmt::format(fmt::runtime(wide_designs[design].line), vector);
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const NamedMatrix& entry : uneven_matrices())
    EXPECT_EQ(design_problem(*device, of_type(entry.matrix, dtype), line, dtype), "")
        << entry.name << "\n"
        << line;
}

TEST_P(WideLoads, AreVectorsInTheKernel) {
  const auto [design, vector, dtype] = GetParam();
  const std::string line = fmt::format(fmt::runtime(wide_designs[design].line), vector);
  const Matrix matrix = of_type(of_lengths({5, 0, 0, 7, 1, 26}), dtype);
  const Result<Kernel> kernel = Designer(matrix).build(line, dtype);
  ASSERT_TRUE(kernel.ok()) << kernel.reason();
  const int at_once = dtype == Dtype::f32 ? vector : 2;  // values of 16 bytes at most
  const std::string value =
      fmt::format("const {}{} value = f.value{}(entry);\n",
                  element_vector_name(number_type(dtype).element), at_once, at_once);
  const std::string column = fmt::format("const int{0} column = f.column{0}(entry);\n", vector);
  const std::string fragment = fmt::format(fmt::runtime(wide_designs[design].fragment), vector);
  for (const std::string& text : {value, column, fragment})
    EXPECT_NE(kernel->source.find(text), std::string::npos) << text << kernel->source;
  EXPECT_EQ(kernel->source.find("f.value("), std::string::npos) << "no entry is loaded alone";
}

INSTANTIATE_TEST_SUITE_P(
    All, WideLoads,
    testing::Combine(testing::Range(0, static_cast<int>(std::size(wide_designs))),
                     testing::Values(2, 4), testing::Values(Dtype::f32, Dtype::f64, Dtype::c64)));

TEST(WideLoads, BringOneComplexValueOfDoublesAndTwoRealOnes) {
  const Matrix real = of_lengths({5, 0, 0, 7, 1, 26}), complex = complex_of(real);
  for (const WideDesign& design : wide_designs) {
    const std::string line = fmt::format(fmt::runtime(design.line), 2);
    const Result<Kernel> kernel = Designer(complex).build(line, Dtype::c128);
    ASSERT_FALSE(kernel.ok());
    EXPECT_EQ(kernel.failure().status, Status::pruned);
    EXPECT_EQ(kernel.reason(),
              "a load of 16 bytes brings one complex value of doubles; use vector=1");
    EXPECT_EQ(design_problem(*open_emulated_device("h200"), real, line, Dtype::c128), "") << line;
  }
}

}  // namespace
}  // namespace alphasparse
