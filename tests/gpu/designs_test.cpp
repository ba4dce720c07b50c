// ctest label: gpu
// gpu_designs: the emulator's checks on a real GPU - every named design, each with the optimizer's
// passes, random designs, and cuSPARSE's algorithms. Prints the skipped parts where there is no
// GPU. ALPHASPARSE_LONG=N takes N random designs.
#include <gtest/gtest.h>

#include <cstdlib>

#include "operators/compact_passes.h"
#include "operators/named_designs.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/verify.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

/// A real GPU, that of GPU_DEVICE or cuda:0, in a worker; the tests are skipped where there is
/// none.
class GpuDesigns : public testing::TestWithParam<Dtype> {
 protected:
  void SetUp() override {
    try {  // not by a listing: the driver must stay untouched in the process that forks a worker
      const char* const named = std::getenv("GPU_DEVICE");
      device_ = open_device(named != nullptr ? named : "cuda:0");
    } catch (const Error& error) {
      GTEST_SKIP() << "skipped, no GPU: " << error.what();
    }
  }

  /// Both lane orders are the emulator's alone.
  void check(const NamedMatrix& entry, const std::string& design) {
    EXPECT_EQ(design_problem(*device_, entry.matrix, design,
                             {GetParam(), 1, device_->info().dialect}, false),
              "")
        << entry.name << ": " << design;
  }

  std::unique_ptr<Device> device_;
};

TEST_P(GpuDesigns, NamedDesignsAreRight) {
  for (const NamedMatrix& entry : battery()) {
    for (const NamedDesign& named : named_designs(Target::gpu))
      check(entry, std::string(named.line));
  }
}

TEST_P(GpuDesigns, NamedDesignsWithEveryPassAreRight) {
  for (const char* const passes : {"compact", "compact columns=narrow structure=narrow"}) {
    const Step step = parse_design(passes)->steps.front();
    for (const NamedMatrix& entry : battery()) {
      for (const NamedDesign& named : named_designs(Target::gpu)) {
        check(entry, print_design(with_compact(*parse_design(named.line), step)));
      }
    }
  }
}

TEST_P(GpuDesigns, RandomDesignsAreRight) {
  const char* const asked = std::getenv("ALPHASPARSE_LONG");
  const int count = asked ? std::atoi(asked) : 100;
  const std::vector<NamedMatrix> all = battery();
  for (int seed = 0; seed < count; ++seed) {
    const NamedMatrix& entry = all[seed % all.size()];
    SCOPED_TRACE(seed);
    check(entry, random_design(entry.matrix, seed));
  }
}

TEST_P(GpuDesigns, TheVendorsAlgorithmsAreRight) {
  for (const NamedMatrix& entry : battery()) {
    if (entry.matrix.nnz() == 0) continue;
    for (const Baseline& algorithm : baselines(device_->info())) {
      const auto kernel = baseline_kernel(algorithm, entry.matrix, GetParam());
      if (!kernel) continue;  // mostly pads
      EXPECT_EQ(kernel_problem(*device_, *kernel, entry.matrix, false), "")
          << entry.name << ": " << algorithm.name;
    }
  }
}

TEST_P(GpuDesigns, HaveTimesWarmAndCold) {
  for (const NamedMatrix& entry : battery()) {
    const auto kernel = Designer(entry.matrix).build(resolve_design("csr-vector"), GetParam());
    ASSERT_TRUE(kernel.ok()) << kernel.reason();
    const auto loaded = device_->load(*kernel);
    ASSERT_TRUE(loaded.ok()) << entry.name << ": " << loaded.reason();
    for (const CacheRegime regime : {CacheRegime::warm, CacheRegime::cold}) {
      const auto timing = (*loaded)->time(rounded_case(*kernel, 1), regime);
      ASSERT_TRUE(timing.ok()) << entry.name << ": " << timing.reason();
      EXPECT_GT(timing->time_us, 0);
      EXPECT_LE(timing->time_us_p20, timing->time_us_p80);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GpuDesigns, testing::Values(Dtype::f32, Dtype::f64),
                         [](const auto& info) { return std::string(dtype_name(info.param)); });

}  // namespace
}  // namespace alphasparse
