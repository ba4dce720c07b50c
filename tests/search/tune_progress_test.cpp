// ctest label: emulator
// tune_progress_test: the progress lines while a search runs.
#include <gtest/gtest.h>

#include <memory>

#include "search/tune.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

TEST(TuneProgress, TellsTheWholeBudgetAndThePart) {
  const Matrix& matrix = battery_matrix("stencil_23");
  const std::unique_ptr<Device> device = open_device("emulated:h200");
  TuneOptions options;
  options.effort = {600, 3, 0};
  options.seconds_before = 5;
  options.explain = true;
  std::vector<std::string> parts;
  double before = 0;
  const auto take = [&](const Progress& progress) {
    EXPECT_EQ(progress.seconds_budget, 600) << "whatever part it is";
    EXPECT_GE(progress.seconds, std::max(5.0, before)) << "reading counts, and clocks go on";
    before = progress.seconds;
    if (parts.empty() || parts.back() != progress.part) parts.push_back(progress.part);
  };
  const std::atomic<bool> stop = false;
  const TuneResult result = tune(matrix, *device, nullptr, options, take, stop);
  ASSERT_TRUE(result.winner);
  EXPECT_GE(result.seconds_tuned, 5 + result.seconds) << "so does it for the price";
  EXPECT_EQ(parts,
            (std::vector<std::string>{"baselines", "search", "last comparison", "explanation"}));
}

}  // namespace
}  // namespace alphasparse
