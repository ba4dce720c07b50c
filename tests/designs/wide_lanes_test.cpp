// ctest label: emulator
// wide_lanes: lanes that share a row load several entries at once, for every number of lanes and
// both types.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// Empty rows at both ends and between, rows shorter than a load, and rows of many rounds.
Matrix rows_of_all_lengths() {
  std::vector<std::vector<std::pair<int, double>>> rows;
  for (const int length : {0, 0, 1, 2, 3, 4, 0, 5, 8, 9, 127, 128, 129, 1, 600, 0, 33, 7, 0}) {
    auto& row = rows.emplace_back();
    for (int k = 0; k < length; ++k) row.emplace_back(k + length % 7, 1 + 0.5 * (k % 5));
  }
  return from_rows(610, rows);
}

class WideLanes : public testing::TestWithParam<std::tuple<int, int, Dtype>> {};

TEST_P(WideLanes, AreRightForRowsOfAllLengths) {
  const auto& [lanes, vector, dtype] = GetParam();
  const Matrix matrix = rows_of_all_lengths();
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const char* const terms : {"", " batch=4", " sums=2"}) {
    const std::string design = fmt::format(
        "compress | thread_cols lanes={0} | thread_pad multiple={1} | thread_total vector={1}{2} | "
        "warp_total | global_store | launch threads=64",
        lanes, vector, terms);
    const Result<Kernel> kernel = Designer(matrix).build(design, dtype);
    ASSERT_TRUE(kernel.ok()) << kernel.reason();
    EXPECT_EQ(kernel_problem(*device, *kernel, matrix), "") << design;
    const char* const type = dtype == Dtype::f64 ? "double" : "float";
    const int at_once = dtype == Dtype::f64 ? 2 : vector;
    const auto loads = [](const std::string& of, int width) {
      return fmt::format("reinterpret_cast<const {}{}*>", of, width);
    };
    EXPECT_TRUE(contains(kernel->source, loads(type, at_once))) << kernel->source;
    EXPECT_TRUE(contains(kernel->source, loads("int", vector))) << kernel->source;
  }
}

std::string name_of(const testing::TestParamInfo<WideLanes::ParamType>& info) {
  const auto& [lanes, vector, dtype] = info.param;
  return fmt::format("lanes_{}_vector_{}_{}", lanes, vector, dtype_name(dtype));
}

INSTANTIATE_TEST_SUITE_P(All, WideLanes,
                         testing::Combine(testing::Values(2, 4, 8, 16, 32), testing::Values(2, 4),
                                          testing::Values(Dtype::f32, Dtype::f64)),
                         name_of);

}  // namespace
}  // namespace alphasparse
