// cusparse_test: the vendor's algorithms through the fake of its library - products, failures, the
// choice of a library, and the arrays that they take.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "runtime/cuda/cusparse_api.h"
#include "runtime/cuda/device.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "runtime/device/columns.h"
#include "runtime/device/verify.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"
#include "tests/support/fake_driver.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// Each of the vendor's algorithms for one vector and for several, through the fake of its library.
TEST_F(FakeCudaGpu, VerifiesTheVendorsAlgorithms) {
  const std::unique_ptr<Device> device = open();
  for (const Operands operands : {Operands(Dtype::f32), Operands(Dtype::f64),
                                  Operands(Dtype::f32, 4), Operands(Dtype::f64, 2)}) {
    for (const NamedMatrix& named : battery()) {
      if (named.matrix.nnz() == 0) continue;
      for (const Baseline& algorithm : baselines(Target::gpu, operands.vectors)) {
        SCOPED_TRACE(named.name + std::string(" ") + std::string(algorithm.name));
        const auto kernel = baseline_kernel(algorithm, named.matrix, operands);
        if (!kernel) {
          EXPECT_TRUE(algorithm.format == "sell" || algorithm.format == "bsr") << kernel.reason();
          continue;
        }
        const auto loaded = device->load(*kernel);
        ASSERT_TRUE(loaded.ok()) << loaded.reason();
        const auto report = verify(*kernel, **loaded, named.matrix, {});
        EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.reason());
        const auto timing =
            (*loaded)->time(with_columns(*kernel, rounded_case(*kernel, 1)), CacheRegime::warm);
        ASSERT_TRUE(timing.ok()) << timing.reason();
        EXPECT_NEAR(timing->time_us, 50 * (algorithm.by_calls ? operands.vectors : 1), 1e-3);
        EXPECT_NE(timing->note.find("; preprocessed in "), std::string::npos) << timing->note;
      }
    }
  }
}

TEST_F(FakeCudaGpu, AFailureOfTheVendorsLibraryIsTold) {
  const Matrix matrix = small_matrix();
  const auto kernel = baseline_kernel(*find_baseline("cusparse-csr-2"), matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  fake_->failures["cusparseCreateCsr"] = 7;
  auto loaded = device->load(*kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.failure().status, Status::launch_error);
  EXPECT_EQ(loaded.reason(), "making the matrix: a faked error");
  fake_->failures.clear();
  fake_->failures["cusparseSpMV"] = 7;
  loaded = device->load(*kernel);
  ASSERT_TRUE(loaded.ok());
  const auto report = verify(*kernel, **loaded, matrix, {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.reason(), "case exact 1: the product: a faked error");
}

TEST_F(FakeCudaGpu, AFailureOfTheVendorsSeveralColumnsIsTold) {
  const Matrix matrix = small_matrix();
  const std::unique_ptr<Device> device = open();
  for (const auto& [name, call, doing] :
       {std::tuple{"cusparse-spmm-csr-1", "cusparseSpMM", "the product"},
        {"cusparse-csr-2-calls", "cusparseDnVecSetValues", "choosing a column"}}) {
    const auto kernel = baseline_kernel(*find_baseline(name), matrix, {Dtype::f32, 2});
    const auto loaded = device->load(*kernel);
    ASSERT_TRUE(loaded.ok()) << loaded.reason();
    fake_->failures[call] = 7;
    EXPECT_EQ(verify(*kernel, **loaded, matrix, {}).reason(),
              fmt::format("case exact 1: {}: a faked error", doing));
    fake_->failures.clear();
  }
}

TEST_F(FakeCudaGpu, AnAlgorithmWithoutAPreparationRunsWithout) {
  const Matrix matrix = small_matrix();
  const auto kernel = baseline_kernel(*find_baseline("cusparse-sell"), matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  fake_->failures["cusparseSpMV_preprocess"] = cusparse_not_supported;
  const auto loaded = device->load(*kernel);
  ASSERT_TRUE(loaded.ok()) << loaded.reason();
  const auto report = verify(*kernel, **loaded, matrix, {});
  ASSERT_TRUE(report.ok()) << report.reason();
  const auto timing =
      (*loaded)->time(integer_case("", matrix, kernel->dtype, {1, 0}), CacheRegime::warm);
  ASSERT_TRUE(timing.ok());
  EXPECT_NE(timing->note.find("not preprocessed, buffer of 100 bytes"), std::string::npos)
      << timing->note;
  fake_->failures["cusparseSpMV_preprocess"] = 7;  // CUSPARSE_STATUS_INTERNAL_ERROR
  EXPECT_FALSE(device->load(*kernel).ok());
}

// The library of CUDA 12.1 prepares nothing. It is taken after one that the driver is too old for.
TEST_F(FakeCudaGpu, TheFirstCusparseThatWorksIsTaken) {
  const TestFolder folder;
  std::filesystem::copy_file(FAKE_CUSPARSE_12_1, folder / "refused.so");
  const std::string libraries =
      "/nowhere/libcusparse.so:" + (folder / "refused.so").string() + ":" + FAKE_CUSPARSE_12_1;
  setenv("ALPHASPARSE_LIBCUSPARSE", libraries.c_str(), 1);
  const Matrix matrix = small_matrix();
  const std::unique_ptr<Device> device = open();
  for (const char* const name : {"cusparse-csr-2", "cusparse-sell"}) {
    const auto kernel = baseline_kernel(*find_baseline(name), matrix, Dtype::f32);
    const auto loaded = device->load(*kernel);
    ASSERT_TRUE(loaded.ok()) << loaded.reason();
    EXPECT_TRUE(verify(*kernel, **loaded, matrix, {}).ok());
    const auto timing =
        (*loaded)->time(integer_case("", matrix, kernel->dtype, {1, 0}), CacheRegime::warm);
    EXPECT_NE(timing->note.find("not preprocessed, buffer of 100 bytes"), std::string::npos);
  }
  const auto operation = baseline_kernel(*find_baseline("cusparse-op-1"), matrix, Dtype::f32);
  const auto loaded = device->load(*operation);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(find_missing(*find_baseline("cusparse-op-1"), loaded.reason()), spmv_op);
  EXPECT_EQ(loaded.reason(),
            "cuSPARSE's SpMVOp is missing: cuSPARSE 12.1.0 does not have it, or not as 12.8.1 to "
            "12.9 have; install it (part of CUDA 13.3)");
}

TEST_F(FakeCudaGpu, APlanThatCusparseDoesNotMakeIsAFailure) {
  const Matrix matrix = small_matrix();
  const auto kernel = baseline_kernel(*find_baseline("cusparse-op-2"), matrix, Dtype::f64);
  const std::unique_ptr<Device> device = open();
  fake_->failures["cusparseSpMVOp_createPlan"] = cusparse_not_supported;
  const auto loaded = device->load(*kernel);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.reason(), "preprocessing: a faked error");
}

// An error that loses the context is known at once: the next kernel would be blamed for it
// otherwise.
TEST_F(FakeCudaGpu, AContextThatTheVendorsLibraryLosesIsLost) {
  const Matrix matrix = small_matrix();
  const auto kernel = baseline_kernel(*find_baseline("cusparse-csr-2"), matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const auto loaded = device->load(*kernel);
  ASSERT_TRUE(loaded.ok());
  fake_->failures["cusparseSpMV"] = 6;  // CUSPARSE_STATUS_EXECUTION_FAILED
  const auto report = verify(*kernel, **loaded, matrix, {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.failure().status, Status::crash) << report.reason();
  EXPECT_TRUE(report.reason().starts_with("case exact 1: the product: a faked error; "))
      << report.reason();
  fake_->lost = 0;
}

TEST_F(FakeCudaGpu, TheVendorsBlocksAreThoseOfTheFewestBytes) {
  const Baseline& bsr = *find_baseline("cusparse-bsr");
  // A full 3 x 3 block and one with holes; 6 x 6 blocks would be mostly empty.
  std::vector<std::vector<std::pair<int, double>>> rows = {
      {{0, 1.}, {1, 2.}, {2, 3.}}, {{0, 2.}, {1, 3.}, {2, 4.}}, {{0, 3.}, {1, 4.}, {2, 5.}},
      {{3, 7.}, {4, 2.}, {5, 7.}}, {{4, 2.}, {5, 7.}},          {{5, 7.}}};
  const Matrix matrix = from_rows(6, rows);
  const auto kernel = baseline_kernel(bsr, matrix, Dtype::f32);
  ASSERT_TRUE(kernel.ok()) << kernel.reason();
  EXPECT_EQ(kernel->arrays[0].count, 3);
  EXPECT_EQ(kernel->arrays[1].count, 2);
  EXPECT_EQ(kernel->arrays[2].count, 18);
  // There is a NaN in x[3], which the last row does not read, but its block holds a zero there.
  const std::unique_ptr<Device> device = open();
  const auto loaded = device->load(*kernel);
  const auto report = verify(*kernel, **loaded, matrix, {});
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.reason());
  EXPECT_TRUE(kernel->reads_fill);
  EXPECT_EQ(report.ok() ? report->cases : 0, 3) << "the exact cases and the rounded one";
  Kernel strict = *kernel;
  strict.reads_fill = false;
  EXPECT_EQ(verify(strict, **loaded, matrix, {}).reason(),
            "wrong result in case 'Inf in x[0], NaN in x[3]': y[4] is nan, expected 7");
  Kernel moved = *kernel;  // the second block, to the first one's columns
  moved.arrays[1].bytes.assign(moved.arrays[1].bytes.size(), std::byte{0});
  const auto wrong = device->load(moved);
  EXPECT_TRUE(verify(moved, **wrong, matrix, {})
                  .reason()
                  .starts_with("wrong result in case 'exact 1': y["));
  rows[4] = rows[5] = rows[3];
  const auto full = baseline_kernel(bsr, from_rows(6, rows), Dtype::f32);
  EXPECT_FALSE(full->reads_fill) << "no block has a hole: Inf and NaN are asked of it";
  const auto none = baseline_kernel(bsr, from_rows(7, rows), Dtype::f32);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.reason(),
            "no blocks of 2 to 8 rows and columns divide it and hold at most 1.5 times the "
            "non-zeros");
}

// 48 rows of which every tenth is long: the smaller the slices, the fewer pads.
TEST_F(FakeCudaGpu, TheVendorHasSlicesOf8And16And32Rows) {
  std::vector<std::vector<std::pair<int, double>>> rows(48);
  for (int row = 0; row < 48; ++row) {
    for (int col = 0; col < (row % 10 == 0 ? 5 : 1); ++col) rows[row].push_back({col, 1. + row});
  }
  const Matrix matrix = from_rows(48, rows);
  const std::unique_ptr<Device> device = open();
  for (const auto& [name, slices, stored] : {std::tuple{"cusparse-sell-8", 6, 6 * 8 * 5 - 8 * 4},
                                             {"cusparse-sell-16", 3, 3 * 16 * 5},
                                             {"cusparse-sell", 2, 2 * 32 * 5}}) {
    SCOPED_TRACE(name);
    const Baseline* const algorithm = find_baseline(name);
    ASSERT_NE(algorithm, nullptr);
    const auto kernel = baseline_kernel(*algorithm, matrix, Dtype::f64);
    ASSERT_TRUE(kernel.ok()) << kernel.reason();
    EXPECT_EQ(kernel->arrays[0].count, slices + 1);
    EXPECT_EQ(kernel->arrays[2].count, stored);
    const auto loaded = device->load(*kernel);
    const auto report = verify(*kernel, **loaded, matrix, {});
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.reason());
  }
}

TEST_F(FakeCudaGpu, SlicesThatAreMostlyPadsAreRefused) {
  std::vector<std::vector<std::pair<int, double>>> rows(3200);
  for (int row = 0; row < 3200; row += 32) rows[row] = {{0, 1.}};
  rows[0].clear();
  for (int col = 0; col < 2000; ++col) rows[0].push_back({col, 1.});
  const auto kernel =
      baseline_kernel(*find_baseline("cusparse-sell"), from_rows(2000, rows), Dtype::f32);
  ASSERT_FALSE(kernel.ok());
  EXPECT_EQ(kernel.reason(), "padded, it holds over 16 times the non-zeros");
}

}  // namespace
}  // namespace alphasparse
