// ctest label: emulator
// random_designs: designs at random over the battery, each verified on the emulator.
#include <gtest/gtest.h>

#include "runtime/emulated_device.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

constexpr int rounds = 2;  ///< designs a matrix

TEST(RandomDesigns, AreRightOnTheBattery) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::vector<NamedMatrix> all = battery();
  for (int seed = 0; seed < rounds * static_cast<int>(all.size()); ++seed) {
    const NamedMatrix& entry = all[seed % all.size()];
    const std::string design = random_design(entry.matrix, seed);
    const Dtype dtype = (seed + seed / all.size()) % 2 == 0 ? Dtype::f32 : Dtype::f64;
    EXPECT_EQ(design_problem(*device, entry.matrix, design, dtype), "")
        << "seed " << seed << ", " << dtype_name(dtype) << ", matrix " << entry.name << ": "
        << design;
  }
}

// Found by longer walks.
TEST(RandomDesigns, TilesThatEndEarlyUnderABlockOfThreadsThatWorkAlone) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const char* const design =
      "compress | block_rows rows=3 | warp_nnz nnz=96 | thread_nnz nnz=3 | thread_bitmap | "
      "global_atomic | launch threads=64";
  for (const NamedMatrix& entry : battery()) {
    EXPECT_EQ(design_problem(*device, entry.matrix, design, Dtype::f32), "") << entry.name;
  }
}

}  // namespace
}  // namespace alphasparse
