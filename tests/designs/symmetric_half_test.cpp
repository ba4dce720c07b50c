// symmetric_half on the emulator: kernels that read one triangle, with every method to find the row
// of a non-zero. They run on the symmetric matrices of the battery, on skew-symmetric ones, and on
// complex ones with all kinds of images, in all types and both lane orders. ctest label: emulator
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "runtime/emulated/device.h"
#include "runtime/matrices/matrix_file.h"
#include "search/trial/trial.h"
#include "tests/support/battery.h"
#include "tests/support/cpu_designs.h"
#include "tests/support/cpu_devices.h"
#include "tests/support/design_check.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

const char* const half_designs[] = {
    // a row a thread, several, and a grid that is too small
    "symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | launch "
    "threads=64",
    "compress | symmetric_half | thread_rows rows=3 | thread_total sums=2 | global_atomic | launch "
    "threads=64 grid=1",
    // lanes that share a row: with idle groups, in a tile, without shuffles, and rows that moved
    "symmetric_half | compress | thread_cols lanes=8 | thread_total | warp_total | global_atomic | "
    "launch threads=256",
    "symmetric_half | sort_rows | compress | thread_cols lanes=4 | thread_total | warp_total | "
    "global_atomic | launch threads=64 grid=1",
    "symmetric_half | compress | warp_rows rows=7 | thread_cols lanes=8 | thread_total | "
    "warp_total | global_atomic | launch threads=64",
    "sort_rows | symmetric_half | compress | thread_cols lanes=32 | thread_total | global_atomic | "
    "launch threads=64",
    // pads: transposed, of their own length, in blocks of one width, and none in ragged tiles
    "symmetric_half | sort_rows | compress | thread_rows rows=1 | thread_pad | interleave | "
    "thread_total | global_atomic | launch threads=128",
    "symmetric_half | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad length=own | "
    "interleave | thread_total | global_atomic | launch threads=64",
    "symmetric_half | compress | block_rows rows=40 | thread_rows rows=1 | thread_pad multiple=2 | "
    "block_pad | interleave | thread_total | global_atomic | launch threads=32 grid=2",
    "symmetric_half | sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | interleave "
    "by=ragged | thread_total | global_atomic | launch threads=64",
    // runs of a row, alone and under units that name their row
    "symmetric_half | sort_rows | compress | thread_cols width=3 | thread_pad | interleave | "
    "thread_total | global_atomic | launch threads=64",
    "symmetric_half | compress | warp_rows rows=1 | thread_cols width=2 | thread_total | "
    "warp_total | global_atomic | launch threads=64",
    "symmetric_half | compress | block_rows rows=1 | thread_cols width=1 | thread_total | "
    "warp_total | shared_total | global_atomic | launch threads=64",
    "sort_rows | symmetric_half | compress | warp_cols width=6 | thread_cols lanes=32 | "
    "thread_total | warp_total | global_atomic | launch threads=64 grid=2",
    "symmetric_half | compress | block_cols width=9 | warp_nnz nnz=64 | thread_nnz nnz=2 | "
    "interleave | thread_total | warp_total | shared_total | global_atomic | launch threads=64",
    // a non-zero a thread, and slices of a table
    "symmetric_half | compress | thread_nnz nnz=1 | thread_total | global_atomic | launch "
    "threads=64",
    "symmetric_half | sort_rows | compress | block_rows nnz=64 | thread_nnz nnz=1 | thread_total | "
    "shared_offset | global_atomic | launch threads=64",
    "symmetric_half | compress | block_nnz nnz=96 | thread_nnz nnz=1 | thread_total | "
    "shared_offset | global_atomic | launch threads=32",
    "symmetric_half | compress | block_rows rows=1 | thread_cols width=1 | thread_total | "
    "shared_offset | global_atomic | launch threads=32",
    // branches: a launch each, fused, and with fill
    "symmetric_half | bin_rows at=3 { compress | thread_rows rows=1 | thread_total | global_atomic "
    "| launch threads=64 } { compress | thread_cols lanes=4 | thread_total | warp_total | "
    "global_atomic | launch threads=64 }",
    "reorder by=rcm | symmetric_half | ell_peel width=2 { compress | thread_rows rows=1 | "
    "thread_pad | interleave | thread_total | global_atomic | launch threads=64 fused=yes } { "
    "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=64 fused=yes }",
    "symmetric_half | col_split parts=2 { compress | thread_cols width=2 | thread_total | "
    "global_atomic | launch threads=64 } { compress | thread_rows rows=1 | thread_total | "
    "global_atomic | launch threads=64 }",
    "symmetric_half | diagonal_peel share=30 { thread_rows rows=1 | thread_pad | interleave | "
    "thread_total | global_atomic | launch threads=64 } { compress | thread_nnz nnz=1 | "
    "thread_total | global_atomic | launch threads=64 }",
    "symmetric_half | bitmap_block_peel cols=4 share=10 { compress | thread_cols lanes=2 | "
    "thread_total | warp_total | global_atomic | launch threads=64 } { compress | thread_rows "
    "rows=1 | thread_total | global_atomic | launch threads=64 }",
    "symmetric_half | dense_block_peel rows=3 cols=3 share=30 { warp_rows rows=3 | thread_cols "
    "lanes=8 | thread_total | warp_total | global_atomic | launch threads=64 } { compress | "
    "thread_rows rows=1 | thread_total | global_atomic | launch threads=64 }",
};

/// Two rows that are nothing but each other's images: no stored entry is in the second.
Matrix swapped_pair() { return from_rows(2, {{{1, 3.}}, {{0, 3.}}}); }

class SymmetricHalf : public testing::TestWithParam<const char*> {};

/// By the reader of skew-symmetric files.
Matrix skew_example() { return read_matrix(ALPHASPARSE_SOURCE_DIR "/examples/plskz362.mtx.gz"); }

TEST_P(SymmetricHalf, IsRightOnMatricesWithMirrorImages) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  std::vector<NamedMatrix> matrices = battery();
  matrices.push_back({"swapped_pair", swapped_pair()});
  matrices.push_back({"plskz362", skew_example()});
  int tried = 0;
  for (const NamedMatrix& entry : matrices) {
    if (find_mirror(entry.matrix) == Mirror::none) continue;
    for (const Dtype dtype : types_for(++tried)) {
      EXPECT_EQ(design_problem(*device, entry.matrix, GetParam(), dtype), "")
          << entry.name << " " << dtype_name(dtype) << "\n"
          << GetParam();
    }
  }
  EXPECT_EQ(find_mirror(matrices.back().matrix), Mirror::negated);
  EXPECT_GE(tried, 6);
}

/// One kind of images a design in the ordinary run, all kinds in the long one.
TEST_P(SymmetricHalf, IsRightOnComplexMatrices) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const bool is_long = std::getenv("ALPHASPARSE_LONG") != nullptr;
  const std::array mirrors = {Mirror::conjugate, Mirror::negated, Mirror::same};
  const std::size_t number =
      std::find(std::begin(half_designs), std::end(half_designs), GetParam()) - half_designs;
  for (std::size_t i = 0; i < mirrors.size(); ++i) {
    if (!is_long && number % mirrors.size() != i) continue;
    const Matrix matrix = complex_of(battery_matrix("symmetric_97"), mirrors[i]);
    ASSERT_EQ(find_mirror(matrix), mirrors[i]);
    for (const Dtype dtype : {Dtype::c64, Dtype::c128}) {
      if (!is_long && (dtype == Dtype::c128) != (number / mirrors.size() % 2 == 1)) continue;
      EXPECT_EQ(design_problem(*device, matrix, GetParam(), dtype), "")
          << mirror_kind(mirrors[i]).matrix << " " << dtype_name(dtype) << "\n"
          << GetParam();
    }
  }
}

void expect_reached_at_random(const Matrix& matrix, Dtype dtype = Dtype::f32) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  int reached = 0;
  for (std::uint64_t seed = 0; reached < 3; ++seed) {
    ASSERT_LT(seed, 2000u) << "only " << reached << " designs store one triangle";
    const std::string design = random_design(matrix, seed);
    if (design.find("symmetric_half") == std::string::npos) continue;
    ++reached;
    EXPECT_EQ(design_problem(*device, matrix, design, dtype), "") << design;
  }
}

TEST(SymmetricHalves, AreReachedAtRandom) {
  const Matrix symmetric = battery_matrix("symmetric_97");
  expect_reached_at_random(symmetric);
  expect_reached_at_random(skew_example());
  if (std::getenv("ALPHASPARSE_LONG"))
    expect_reached_at_random(complex_of(symmetric, Mirror::conjugate), Dtype::c64);
}

struct Mistake {
  std::string from, to, fault = "wrong result in case 'exact 1'";
};

void expect_found(Device& device, const std::string& design, const Matrix& matrix,
                  const std::vector<Mistake>& mistakes) {
  const Dtype dtype = matrix.is_complex() ? Dtype::c64 : Dtype::f32;
  for (const Mistake& mistake : mistakes) {
    Kernel kernel = *Designer(matrix).build(design, dtype);
    const std::size_t at = kernel.source.rfind(mistake.from);
    ASSERT_NE(at, std::string::npos) << mistake.from;
    kernel.source.replace(at, mistake.from.size(), mistake.to);
    const std::string problem = kernel_problem(device, kernel, matrix, false);
    EXPECT_NE(problem.find(mistake.fault), std::string::npos) << mistake.to << ": " << problem;
  }
}

TEST(SymmetricHalves, AreFoundOutWhereTheyAreWrong) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::string design = half_designs[0];
  const Matrix symmetric = battery_matrix("symmetric_97"),
               hermitian = complex_of(symmetric, Mirror::conjugate);
  const Mistake own_image = {"if (column != row) ", ""};
  expect_found(*device, design, symmetric,
               {own_image,
                {"out.alpha * x", "x"},
                {"value * scaled_x", "scaled_x"},
                {"value * scaled_x", "-value * scaled_x"},
                {"atomicAdd(&out[column], product)", "out[column] += product", "race"}});
  expect_found(*device, design, skew_of(symmetric),
               {own_image, {"-value * scaled_x", "value * scaled_x"}});
  expect_found(*device, design, hermitian,
               {own_image,
                {"conjugate(value) * scaled_x", "value * scaled_x"},
                {"conjugate(value) * scaled_x", "-conjugate(value) * scaled_x"},
                {"conjugate(value) * scaled_x", "conjugate(value * scaled_x)"},
                {"return value * other", "return conjugate(value) * other"}});
  expect_found(*device, design, complex_of(symmetric, Mirror::same),
               {{"value * scaled_x", "Value(value.re, -value.im) * scaled_x"}});
  expect_found(*device, design, complex_of(symmetric, Mirror::negated),
               {{"-value * scaled_x", "value * scaled_x"},
                {"-value * scaled_x", "Value(-value.re, value.im) * scaled_x"}});
}

TEST(SymmetricHalves, AreFoundOutWhereTheyAreWrongOnCpus) {
  const std::unique_ptr<Device> alone = cpu_device_of(1, 32), team = cpu_device_of(2, 32);
  const Matrix symmetric = battery_matrix("symmetric_97");
  const std::string rows = half_designs_of_cpus().front(), blocks = half_designs_of_cpus()[5];
  expect_found(*alone, rows, symmetric,
               {{"column_of(first) == row", "false"},
                {"out.alpha * row_x", "row_x"},
                {"image_of(value) * scaled_x", "-image_of(value) * scaled_x"}});
  expect_found(*team, rows, symmetric,
               {{"out[row] += out.alpha * rows", "out[row] = out.alpha * rows"},
                {"out[row] += out.alpha * rows", "out[row] += rows"}});
  expect_found(*alone, rows, skew_of(symmetric), {{"return -value", "return value"}});
  expect_found(*alone, rows, complex_of(symmetric, Mirror::conjugate),
               {{"return conjugate(value)", "return value"}});
  expect_found(*alone, blocks, symmetric,
               {{"column_of(block) < row + ROWS", "false"},
                {"scaled_x[r] = image_x(r)", "scaled_x[r] = image_x(0)"},
                {"bool finite = !is_not_finite(any)", "bool finite = true", "wrong result"},
                {"if (is_not_finite(any))", "if (false)", "wrong result"},
                {"column != row + r", "true", "wrong result"}});
  expect_found(*alone, blocks, skew_of(symmetric), {{"-out.alpha", "out.alpha"}});
}

TEST(SymmetricHalves, ArePrunedWhereOtherValuesMayCome) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = swapped_pair();
  TuneOptions options;
  EXPECT_EQ(Trial(matrix, *device, options).run(half_designs[0], {}).status, Status::ok);
  options.values_vary = true;
  const Measurement pruned = Trial(matrix, *device, options).run(half_designs[0], {});
  EXPECT_EQ(pruned.status, Status::pruned);
  EXPECT_NE(pruned.reason.find("which --values varying forbids"), std::string::npos)
      << pruned.reason;
  options = {};
  options.deterministic = true;
  EXPECT_EQ(Trial(matrix, *device, options).run(half_designs[0], {}).status, Status::pruned);
}

TEST(CodedValues, ArePrunedWhereOtherValuesMayCome) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Matrix matrix = battery().back().matrix;
  const std::string coded =
      "compress | thread_rows rows=1 | thread_total | global_store | compact | launch threads=64";
  TuneOptions options;
  EXPECT_EQ(Trial(matrix, *device, options).run(coded, {}).status, Status::ok);
  options.values_vary = true;
  const Measurement pruned = Trial(matrix, *device, options).run(coded, {});
  EXPECT_EQ(pruned.status, Status::pruned);
  EXPECT_NE(pruned.reason.find("which --values varying forbids"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, SymmetricHalf, testing::ValuesIn(half_designs));

}  // namespace
}  // namespace alphasparse
