// processes_test: runs that are not observed; several processes share out their blocks.
// ctest label: emulator
#include <gtest/gtest.h>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/emulated/device.h"
#include "runtime/emulated/emulator_program.h"
#include "runtime/emulated/kernel.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"

namespace alphasparse {
namespace {

constexpr std::size_t processes = 3;

const EmulatorToolchain& tools() {
  static const EmulatorToolchain made(*find_gpu_model("h200"), find_host_compiler(),
                                      find_emulator(), processes);
  return made;
}

/// Larger than the matrices that are observed whole.
const Matrix& matrix() {
  static const Matrix made = with_integer_values(large_stencil(650));
  return made;
}

std::vector<SpmvCase> cases() {
  std::vector<SpmvCase> made = {integer_case("general", matrix(), Dtype::f32, {2, -1}),
                                integer_case("overwrite", matrix(), Dtype::f32, {1, 0})};
  made.back().lanes_reversed = true;
  return made;
}

class Teams : public testing::TestWithParam<const char*> {};

/// Launches that wait for the one before, scratch that one writes and the next reads, atomics on
/// rows that blocks share.
TEST_P(Teams, GiveTheResultsOfOneProcess) {
  ASSERT_GT(matrix().nnz(), observed_entries_max);
  const auto kernel = Designer(matrix()).build(resolve_design(GetParam()), Dtype::f32);
  ASSERT_TRUE(kernel) << kernel.reason();
  EmulatedKernel loaded(tools(), *kernel);
  ASSERT_FALSE(loaded.build());
  const auto outcomes = loaded.run(cases());
  ASSERT_TRUE(outcomes) << outcomes.reason();
  for (std::size_t i = 0; i < cases().size(); ++i) {
    const SpmvCase input = cases()[i];
    EXPECT_EQ(to_numbers((*outcomes)[i].y, Dtype::f32),
              reference_spmv(matrix(), to_numbers(input.x, Dtype::f32),
                             to_numbers(input.y, Dtype::f32), input.scaling))
        << input.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Teams, testing::Values("csr5", "merge-csr"),
                         [](const auto& info) { return info.index == 0 ? "Atomics" : "Carries"; });

TEST(Team, EndsWithTheFaultOfOne) {
  const Kernel kernel = csr_kernel("faulty/late_wild_read.cu", matrix(), Dtype::f32, 256, 1);
  EmulatedKernel loaded(tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const auto outcomes = loaded.run(cases());
  ASSERT_FALSE(outcomes);
  EXPECT_EQ(outcomes.failure().status, Status::crash);
  EXPECT_NE(outcomes.reason().find("belongs to no array, block 1650"), std::string::npos)
      << outcomes.reason();
  EXPECT_NE(outcomes.reason().find("case general"), std::string::npos) << outcomes.reason();
}

TEST(Team, LeavesCoresToOtherRuns) {
  const EmulatorToolchain::Run first(tools());
  EXPECT_EQ(first.processes(), 3);
  const EmulatorToolchain::Run second(tools());
  EXPECT_EQ(second.processes(), 1);
}

}  // namespace
}  // namespace alphasparse
