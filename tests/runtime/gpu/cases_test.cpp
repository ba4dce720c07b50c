// gpu_cases: how the cases that verify kernels get to a GPU, and which of them stay there, against
// a fake of the driver.
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/device/verify.h"
#include "runtime/gpu/session.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"
#include "tests/support/fake_driver.h"

namespace alphasparse {
namespace {

TEST_P(FakeGpu, ReplacedValuesLastForTheirCaseAlone) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f64);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  SpmvCase real = integer_case("real", matrix, kernel.dtype, {1, 0});
  SpmvCase tens = integer_case("tens", matrix, kernel.dtype, {1, 0});
  tens.integers = std::vector<std::byte>(6, std::byte{10});
  const Result<std::vector<SpmvOutcome>> outcomes =
      (*loaded)->run(std::vector<SpmvCase>{real, tens, real});
  ASSERT_TRUE(outcomes.ok()) << outcomes.reason();
  // x = 1 2 3
  EXPECT_EQ(to_numbers(outcomes->at(0).y, kernel.dtype), (std::vector<double>{7, 0, 6, 32}));
  EXPECT_EQ(to_numbers(outcomes->at(1).y, kernel.dtype), (std::vector<double>{40, 0, 20, 60}));
  EXPECT_EQ(outcomes->at(2).y, outcomes->at(0).y);
}

TEST_P(FakeGpu, TimesTheRealValuesAfterACaseThatReplacedThem) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f64);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  SpmvCase tens = integer_case("tens", matrix, kernel.dtype, {1, 0});
  tens.integers = std::vector<std::byte>(6, std::byte{10});
  ASSERT_TRUE((*loaded)->run(std::vector<SpmvCase>{tens}).ok());
  std::vector<double> seen;
  fake_->kernels["spmv"].execute = [&](unsigned, unsigned, const auto& parameters) {
    const Seen<double> launch(parameters);
    seen.assign(launch.format.value, launch.format.value + 6);
    EXPECT_EQ(launch.output.alpha, 1);
    EXPECT_EQ(launch.output.beta, 0);
  };
  ASSERT_TRUE(
      (*loaded)->time(integer_case("", matrix, kernel.dtype, {2, 3}), CacheRegime::warm).ok());
  EXPECT_EQ(seen, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

/// Rows of 500 entries, so that bytes tell which array was copied.
Matrix wide_matrix() {
  std::vector<std::vector<std::pair<int, double>>> rows(4);
  for (auto& row : rows) {
    for (int col = 0; col < 500; ++col) row.push_back({col, 1. + col});
  }
  return from_rows(500, rows);
}

// The cases that verify kernels of a matrix stay on the GPU. For the second kernel its own order of
// the values goes there, and the guards of y with each case.
TEST_P(FakeGpu, CasesAreCopiedOnceForAllKernels) {
  const Matrix matrix = wide_matrix();
  const std::unique_ptr<Device> device = open();
  Verification verification(matrix);
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    const Kernel kernel = two_launches(matrix, dtype);
    const std::size_t element = number_type(dtype).bytes;
    const std::size_t order_bytes = 4 * 2000, guard_bytes = 5 * 2 * y_guard_bytes;
    // x of the exact case, once more with Inf in front and at the end, and real ones; y of whole
    // numbers, and NaN.
    const std::size_t case_bytes = 2000 + element * (4 * 500 + 2 * 4);
    for (const bool first : {true, false}) {
      const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
      ASSERT_TRUE(loaded.ok());
      fake_->uploaded_bytes = 0;
      const auto report = verification.verify(kernel, **loaded);
      ASSERT_TRUE(report.ok()) << report.reason();
      EXPECT_EQ(report->cases, 5);
      EXPECT_EQ(fake_->uploaded_bytes, order_bytes + guard_bytes + (first ? case_bytes : 0));
      ASSERT_TRUE((*loaded)->time(verification.rounded_input(kernel), CacheRegime::warm).ok());
      EXPECT_EQ(fake_->uploaded_bytes, order_bytes + guard_bytes + (first ? case_bytes : 0));
    }
  }
}

TEST_P(FakeGpu, PadsAndASecondArrayOfValuesArePermutedToo) {
  const Matrix matrix = small_matrix();
  Kernel kernel = two_launches(matrix, Dtype::f64);
  Array singles = kernel.arrays[2];  // as a format has that holds some of its values as floats
  singles.name = "single";
  singles.type = ElementType::f32;
  singles.value_source = {5, -1, 0};
  singles.count = 3;
  singles.bytes = to_bytes({6, 0, 1}, Dtype::f32);
  kernel.arrays.push_back(singles);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  std::vector<float> seen;
  auto& sizes = fake_->kernels["spmv"].parameter_bytes;
  sizes.insert(sizes.begin(), sizeof(GpuPointer));
  fake_->kernels["spmv"].execute = [&](unsigned, unsigned, const auto& parameters) {
    const float* single = nullptr;
    std::memcpy(&single, parameters[3].data(), sizeof single);
    seen.insert(seen.end(), single, single + 3);
  };
  SpmvCase real = integer_case("real", matrix, kernel.dtype, {1, 0});
  SpmvCase replaced = real;
  replaced.integers = std::vector<std::byte>{std::byte{1}, std::byte{2}, std::byte{3},
                                             std::byte{2}, std::byte{1}, std::byte{3}};
  ASSERT_TRUE((*loaded)->run(std::vector<SpmvCase>{replaced, real}).ok());
  EXPECT_EQ(seen, (std::vector<float>{3, 0, 1, 6, 0, 1}));
}

// Without memory for arrays that may stay there, or for a copy of the values, all comes from the
// host.
TEST_P(FakeGpu, WhereMemoryIsShortCasesComeFromTheHost) {
  const Matrix matrix = wide_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  fake_->failures[api().allocate.name] = gpu_error_out_of_memory;
  Verification verification(matrix);
  const auto report = verification.verify(kernel, **loaded);
  fake_->failures.clear();
  ASSERT_TRUE(report.ok()) << report.reason();
  EXPECT_EQ(report->cases, 5);
}

// A kernel that writes beside its arrays must spoil no other's cases.
TEST_P(FakeGpu, CasesThatAKernelHasWrittenToAreBroughtAnew) {
  const Matrix matrix = wide_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  Verification verification(matrix);
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(verification.verify(kernel, **loaded).ok());
  const auto right = fake_->kernels["spmv"].execute;
  for (const bool while_timed : {false, true}) {
    fake_->kernels["spmv"].execute = [&](unsigned blocks, unsigned threads, const auto& launch) {
      right(blocks, threads, launch);
      const float* const own_x = Seen<float>(launch).x;
      for (const auto& [address, bytes] : fake_->allocations) {
        auto* const x = reinterpret_cast<float*>(static_cast<std::uintptr_t>(address));
        if (bytes == 4 * 500 && x != own_x) x[499] += 1;
      }
    };
    if (while_timed) {
      ASSERT_TRUE((*loaded)->time(verification.rounded_input(kernel), CacheRegime::warm).ok());
    } else {
      const auto report = verification.verify(kernel, **loaded);
      ASSERT_FALSE(report.ok());
      EXPECT_EQ(report.failure().status, Status::wrong_result);
    }
    fake_->kernels["spmv"].execute = right;
    const auto report = verification.verify(kernel, **loaded);
    EXPECT_TRUE(report.ok()) << report.reason();
  }
}

TEST_P(FakeGpu, WhatIsKeptMakesRoomForKernels) {
  const Matrix matrix = wide_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  Verification verification(matrix);
  {
    const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
    ASSERT_TRUE(verification.verify(kernel, **loaded).ok());
  }
  std::size_t kept_bytes = 0;
  for (const auto& [address, bytes] : fake_->allocations) kept_bytes += bytes;
  EXPECT_GT(kept_bytes, 4 * 4 * 500U) << "the cases";
  fake_->memory_bytes = std::size_t{24} << 10;
  const auto format_bytes = static_cast<std::size_t>(kernel.format_bytes());
  ASSERT_LT(format_bytes + 4096, fake_->memory_bytes);
  ASSERT_GT(format_bytes + kept_bytes, fake_->memory_bytes);
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok()) << loaded.reason();
  fake_->memory_bytes = std::size_t{1} << 32;
  EXPECT_TRUE(verification.verify(kernel, **loaded).ok()) << "they are brought once more";
}

}  // namespace
}  // namespace alphasparse
