// ctest label: emulator
// combinations on the emulator: kernels for all sequences that the typed interfaces allow are
// right.
//
// By default it takes a ninety-sixth of the sequences of fragments in nests of levels. It also
// takes a fifth of the designs that cover every two neighbours of all other parts. Both run on one
// matrix with the hard cases. A 36th of the sequences of fragments runs over the whole battery.
// With ALPHASPARSE_LONG=N it runs every sequence in every nest and N others, and all that cover, on
// the battery.
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/combinations.h"
#include "tests/support/design_check.h"

namespace alphasparse {
namespace {

constexpr int parts = 2;  ///< so that they run side by side; each walks through all combinations

class Combinations : public testing::TestWithParam<int> {};

TEST_P(Combinations, AreRightOnAHardMatrix) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::vector<Combination> all = all_combinations();
  const std::vector<std::size_t> chosen = chosen_combinations(all);
  for (std::size_t i = GetParam(); i < chosen.size(); i += parts) {
    const Combination& made = all[chosen[i]];
    const Result<Kernel> kernel = combination_kernel(made, chosen[i]);
    ASSERT_TRUE(kernel.ok()) << made.text() << ": " << kernel.reason();
    EXPECT_EQ(kernel_problem(*device, *kernel, combination_matrix(made.start->matrix)), "")
        << dtype_name(kernel->dtype) << ": " << kernel->design;
  }
}

TEST_P(Combinations, AreRightOnTheBattery) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::vector<Combination> all = all_combinations();
  const bool is_long = std::getenv("ALPHASPARSE_LONG") != nullptr;
  const std::vector<std::size_t> chosen = is_long ? covering_pairs(all) : fragment_sequences(all);
  const std::size_t step = is_long ? parts : 36 * parts;
  for (std::size_t i = GetParam(); i < chosen.size(); i += step) {
    for (const NamedMatrix& entry : battery()) {
      const std::string line = all[chosen[i]].line(i);
      const Dtype dtype = i % 2 == 0 ? Dtype::f32 : Dtype::f64;
      const Result<Kernel> kernel = Designer(entry.matrix).build(line, dtype);
      if (!kernel) continue;  // another matrix has other facts, or fill without end
      EXPECT_EQ(kernel_problem(*device, *kernel, entry.matrix), "")
          << dtype_name(dtype) << " " << entry.name << ": " << line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Combinations, testing::Range(0, parts));

}  // namespace
}  // namespace alphasparse
