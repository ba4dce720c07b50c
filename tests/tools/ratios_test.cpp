// ratios_test: our time in words beside those of others, and lines of a design.
#include "tools/reports/ratios.h"

#include <gtest/gtest.h>

#include "runtime/device/baseline_library.h"

namespace alphasparse {
namespace {

Timing median(double us, std::optional<double> least_us = std::nullopt) {
  Timing timing;
  timing.time_us = us;
  timing.time_us_min = least_us;
  return timing;
}

TEST(SpeedText, SaysTheLargerRatio) {
  EXPECT_EQ(speed_text(median(10), median(25.4)), "2.54 times as fast as");
  EXPECT_EQ(speed_text(median(25.4), median(10)), "2.54 times as slow as");
  EXPECT_EQ(speed_text(median(10), median(10.04)), "as fast as");
  EXPECT_EQ(speed_text(median(10.04), median(10)), "as fast as");
}

TEST(SpeedText, HasTheRangeToTheLeastTimes) {
  EXPECT_EQ(speed_text(median(10, 8), median(24, 20)), "2.40 (2.00-3.00) times as fast as");
  EXPECT_EQ(speed_text(median(24, 20), median(10, 8)), "2.40 (2.00-3.00) times as slow as");
  EXPECT_EQ(speed_text(median(10, 9.999), median(24, 23.99)), "2.40 times as fast as");
}

Measurement timed(const std::string& name) {
  Measurement outcome;
  outcome.design = name;
  outcome.status = Status::ok;
  outcome.verified = true;
  outcome.timing.emplace();
  return outcome;
}

Measurement missing(const std::string& name, const std::string& library) {
  Measurement outcome;
  outcome.design = name;
  outcome.status = Status::launch_error;
  outcome.reason = library_missing(library, "looked for x").reason;
  return outcome;
}

TEST(Baselines, AreNamedOnceEach) {
  const Measurement loop = timed("openmp-csr"), eigen = timed("eigen");
  const Measurement mkl = missing("mkl-csr", "MKL"), blocks = missing("mkl-bsr", "MKL");
  EXPECT_EQ(present_text({&loop, &mkl, &eigen, &blocks}), "OpenMP, Eigen");
  EXPECT_EQ(not_installed_text({&loop, &mkl, &eigen, &blocks}),
            "MKL: not installed (pip install mkl)");
  EXPECT_EQ(not_installed_text({&loop}), "");
  EXPECT_EQ(untimed_text(baselines(Target::cpu), {&loop, &mkl, &blocks}),
            "MKL (not installed), Eigen");
  EXPECT_EQ(untimed_text(baselines(Target::gpu), {}), "cuSPARSE");
}

TEST(WrappedDesign, EndsLinesAtBars) {
  EXPECT_EQ(wrapped_design("compress | ell_peel", 2), "compress | ell_peel");
  EXPECT_EQ(wrapped_design("aaaa | bbbb | cccc", 2, 15), "aaaa | bbbb |\n  cccc");
  EXPECT_EQ(wrapped_design("aaaaaaaaaaaaaaaa | b", 2, 8), "aaaaaaaaaaaaaaaa |\n  b");
  EXPECT_EQ(wrapped_design("", 2), "");
}

}  // namespace
}  // namespace alphasparse
