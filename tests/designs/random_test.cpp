// ctest label: emulator
// random_designs: designs at random over the battery, each verified on the emulator.
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

/// Triples of a design, a matrix and a type in the ordinary run, and in ALPHASPARSE_LONG=N;
/// ALPHASPARSE_SEED=N is number N alone.
constexpr int triples_default = 40;
constexpr int random_parts = 4;  ///< of the run, so that they run side by side

int triples() {
  const char* const request = std::getenv("ALPHASPARSE_LONG");
  if (!request) return triples_default;
  const int count = std::atoi(request);
  return count > 1 ? count : 10'000;
}

class RandomDesigns : public testing::TestWithParam<int> {};

TEST_P(RandomDesigns, AreRightOnTheBattery) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::vector<NamedMatrix> all = battery();
  const auto matrices = static_cast<int>(all.size());
  const char* const only = std::getenv("ALPHASPARSE_SEED");
  for (int seed = GetParam(); seed < triples(); seed += random_parts) {
    if (only && seed != std::atoi(only)) continue;
    const NamedMatrix& entry = all[seed % matrices];
    const std::string design = random_design(entry.matrix, seed);
    const Dtype dtype = (seed + seed / matrices) % 2 == 0 ? Dtype::f32 : Dtype::f64;
    EXPECT_EQ(design_problem(*device, entry.matrix, design, dtype), "")
        << "seed " << seed << ", " << dtype_name(dtype) << ", matrix " << entry.name << ": "
        << design;
  }
}

INSTANTIATE_TEST_SUITE_P(All, RandomDesigns, testing::Range(0, random_parts));

// Found by longer walks.
TEST(FoundAtRandom, TilesThatEndEarlyUnderABlockOfThreadsThatWorkAlone) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const char* const design =
      "compress | block_rows rows=3 | warp_nnz nnz=96 | thread_nnz nnz=3 | thread_bitmap | "
      "global_atomic | launch threads=64";
  for (const NamedMatrix& entry : battery()) {
    EXPECT_EQ(design_problem(*device, entry.matrix, design, Dtype::f32), "") << entry.name;
  }
}

TEST(RandomDesigns, ThreadsOfOneTermAlongJaggedDiagonals) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const char* const design =
      "compress | warp_rows rows=1 | thread_cols width=1 | interleave by=ragged | thread_total | "
      "warp_total | global_store | launch threads=64";
  for (const NamedMatrix& entry : battery()) {
    EXPECT_EQ(design_problem(*device, entry.matrix, design, Dtype::f32), "") << entry.name;
  }
}

}  // namespace
}  // namespace alphasparse
