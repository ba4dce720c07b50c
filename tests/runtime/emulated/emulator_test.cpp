// emulator_test: right kernels give right results on the emulated device, and its counts are exact.
// ctest label: emulator
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/device/verify.h"
#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"

namespace alphasparse {
namespace {

Device& device() {
  static const std::unique_ptr<Device> opened = open_emulated_device("h200");
  return *opened;
}

/// Runs the cases alpha = 2, beta = -1 and alpha = 1, beta = 0 on NaN, lanes forward and reversed,
/// and expects every result, bit for bit.
void expect_exact(const Kernel& kernel, const Matrix& matrix) {
  std::vector<SpmvCase> cases = {integer_case("general", matrix, kernel.dtype, {2, -1}),
                                 integer_case("overwrite", matrix, kernel.dtype, {1, 0})};
  for (std::size_t i = 0; i < 2; ++i) {
    cases.push_back(cases[i]);
    cases.back().lanes_reversed = true;
  }
  auto loaded = device().load(kernel);
  ASSERT_TRUE(loaded) << loaded.reason();
  const auto outcomes = (*loaded)->run(cases);
  ASSERT_TRUE(outcomes) << outcomes.reason();
  ASSERT_EQ(outcomes->size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::vector<double> expected =
        reference_spmv(matrix, to_numbers(cases[i].x, kernel.dtype),
                       to_numbers(cases[i].y, kernel.dtype), cases[i].scaling);
    EXPECT_EQ(to_numbers((*outcomes)[i].y, kernel.dtype), expected) << cases[i].name;
  }
}

TEST(Emulator, RunsScalarCsrOnTheWholeBattery) {
  for (const NamedMatrix& named : battery()) {
    SCOPED_TRACE(named.name);
    const Matrix matrix = with_integer_values(named.matrix);
    expect_exact(csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1), matrix);
  }
}

TEST(Emulator, RunsVectorCsrInBothTypes) {
  for (const NamedMatrix& named : battery()) {
    if (named.name != "power_law" && named.name != "all_empty") continue;
    SCOPED_TRACE(named.name);
    const Matrix matrix = with_integer_values(named.matrix);
    expect_exact(csr_kernel("csr_vector.cu", matrix, Dtype::f32, 256, 32), matrix);
    expect_exact(csr_kernel("csr_vector.cu", matrix, Dtype::f64, 256, 32), matrix);
  }
}

TEST(Emulator, RunsBarriersAndSharedMemory) {
  for (const NamedMatrix& named : battery()) {
    if (named.name != "power_law" && named.name != "stencil_23") continue;
    SCOPED_TRACE(named.name);
    const Matrix matrix = with_integer_values(named.matrix);
    expect_exact(csr_kernel("csr_stream.cu", matrix, Dtype::f32, 64, 1), matrix);
    expect_exact(csr_kernel("csr_stream.cu", matrix, Dtype::f64, 64, 1), matrix);
  }
}

TEST(Emulator, RunsLaunchesInOrderAndAtomics) {
  for (const NamedMatrix& named : battery()) {
    SCOPED_TRACE(named.name);
    const Matrix matrix = with_integer_values(named.matrix);
    expect_exact(csr5_kernel(matrix, Dtype::f32), matrix);
  }
}

// The arrays lie in the device's own memory from then on, so a large matrix is there once.
TEST(Emulator, VerifiesAndTimesAKernelThatGaveUpItsEntries) {
  const Matrix matrix = battery().back().matrix;
  Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  auto loaded = device().load(kernel);
  ASSERT_TRUE(loaded) << loaded.reason();
  give_up_entries(kernel, **loaded);
  for (const Array& array : kernel.arrays) EXPECT_TRUE(array.bytes.empty()) << array.name;
  const auto verified = verify(kernel, **loaded, matrix);
  EXPECT_TRUE(verified) << verified.reason();
  const auto timing = (*loaded)->time(rounded_case(kernel, 1), {CacheRegime::warm});
  EXPECT_TRUE(timing) << timing.reason();
}

TEST(Emulator, KnowsEveryWordOfTheShim) {
  const Matrix matrix = from_rows(1, {{{0, 1}}});
  const Kernel kernel = csr_kernel("shim_words.cu", matrix, Dtype::f32, 64, 1);
  auto loaded = device().load(kernel);
  ASSERT_TRUE(loaded) << loaded.reason();
  const std::vector<SpmvCase> cases = {integer_case("words", matrix, Dtype::f32, {1, 0})};
  const auto outcomes = (*loaded)->run(cases);
  ASSERT_TRUE(outcomes) << outcomes.reason();
  EXPECT_EQ(to_numbers((*outcomes)[0].y, Dtype::f32), std::vector<double>{0});
}

}  // namespace
}  // namespace alphasparse
