// ctest label: emulator
// compact_emulated: with any passes a design gives the very bits that it gives without, where the
// order of its sums is fixed; and it is verified.
#include <gtest/gtest.h>

#include <cstdlib>

#include "operators/compact_passes.h"
#include "runtime/device/verify.h"
#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

/// Random designs in the ordinary run; ALPHASPARSE_LONG=N takes N of them.
constexpr int designs_default = 24;
constexpr int compact_parts = 2;  ///< of the run, so that they run side by side

/// All passes as they are by default, and each coding by itself.
constexpr const char* choices[] = {
    "compact",
    "compact models=linear values=full",
    "compact columns=narrow structure=narrow",
    "compact columns=runs structure=packed exceptions=16",
    "compact columns=deltas structure=full",
    "compact columns=full structure=full exceptions=1",
};

int compact_designs() {
  const char* const request = std::getenv("ALPHASPARSE_LONG");
  return request ? std::max(1, std::atoi(request)) : designs_default;
}

/// y of a case of random values; the reason where it fails.
Result<std::vector<std::byte>> rounded_y(Device& device, const Kernel& kernel) {
  const auto loaded = device.load(kernel);
  if (!loaded) return loaded.failure();
  const SpmvCase input = rounded_case(kernel, 1);
  auto outcomes = (*loaded)->run(std::span(&input, 1));
  if (!outcomes) return outcomes.failure();
  return std::move(outcomes->front().y);
}

class CompactDesigns : public testing::TestWithParam<int> {};

TEST_P(CompactDesigns, GiveTheSameBits) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::vector<NamedMatrix> all = battery();
  int compared = 0, smaller = 0;
  for (int seed = GetParam(); seed < compact_designs(); seed += compact_parts) {
    const Matrix& matrix = all[seed % all.size()].matrix;
    const Dtype dtype = seed / compact_parts % 2 == 0 ? Dtype::f32 : Dtype::f64;
    const Design plain = without_compact(*parse_design(random_design(matrix, seed)));
    const auto kernel = Designer(matrix).build(print_design(plain), dtype, no_build_limits);
    ASSERT_TRUE(kernel.ok()) << kernel.reason();
    const auto y = rounded_y(*device, *kernel);
    ASSERT_TRUE(y.ok()) << y.reason();
    for (const char* const passes : choices) {
      const Design design = with_compact(plain, parse_design(passes)->steps.front());
      SCOPED_TRACE(print_design(design) + " on " + all[seed % all.size()].name);
      const auto compact = Designer(matrix).build(print_design(design), dtype, no_build_limits);
      if (!compact) continue;  // deltas that no thread can add up, wide loads
      smaller += compact->format_bytes() < kernel->format_bytes();
      EXPECT_EQ(kernel_problem(*device, *compact, matrix), "");
      if (kernel->adds_in_any_order) continue;
      const auto compact_y = rounded_y(*device, *compact);
      ASSERT_TRUE(compact_y.ok()) << compact_y.reason();
      EXPECT_EQ(*compact_y, *y);
      ++compared;
    }
  }
  EXPECT_GT(compared, 10);
  EXPECT_GT(smaller, 10);
}

INSTANTIATE_TEST_SUITE_P(All, CompactDesigns, testing::Range(0, compact_parts));

// Every named design that deltas apply to, and layouts with pads and idle lanes.
TEST(Deltas, OnTheBattery) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const char* const design :
       {"compress | thread_rows rows=1 | thread_total | global_store | compact columns=deltas | "
        "launch threads=64",
        "compress | thread_rows rows=1 | thread_pad | interleave | thread_total sums=2 | "
        "global_store | compact columns=deltas | launch threads=64",
        "sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad length=own | "
        "interleave | thread_total | global_store | compact columns=deltas | launch threads=64",
        "compress | thread_nnz nnz=5 | thread_bitmap | global_atomic | compact columns=deltas | "
        "launch threads=64",
        "compress | block_rows rows=16 | stage_x columns=listed | thread_rows rows=1 | "
        "thread_pad | thread_total | global_store | compact columns=deltas | launch threads=32",
        "compress | warp_cols width=96 | thread_cols width=3 | thread_total | warp_total | "
        "global_atomic | compact columns=deltas | launch threads=64"}) {
    for (const NamedMatrix& entry : battery()) {
      EXPECT_EQ(design_problem(*device, entry.matrix, design, Dtype::f32), "")
          << entry.name << ": " << design;
    }
  }
}

}  // namespace
}  // namespace alphasparse
