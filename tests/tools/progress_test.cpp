// progress_test: the state of a search as a line.
#include "tools/console/progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace alphasparse {
namespace {

TEST(ProgressText, HasABarTheTimeLeftAndTheRatioSoFar) {
  Progress progress;
  progress.seconds = 12;
  progress.seconds_budget = 60;
  progress.trials = 34;
  progress.part = "search";
  EXPECT_EQ(progress_text(progress, TimeKind::measured),
            "[####................] 48 s left | search | 34 tried");
  progress.best.emplace();
  progress.best->timing.emplace();
  progress.best->timing->time_us = 40;
  progress.best->design = "a design is too long for a line";
  progress.baseline_us = 100;
  EXPECT_EQ(progress_text(progress, TimeKind::measured),
            "[####................] 48 s left | search | 34 tried | best 40 us measured, 2.50 x "
            "baseline");
  progress.of_what = "a sample";
  progress.seconds = 70;
  EXPECT_EQ(progress_text(progress, TimeKind::modelled),
            "[####################] 0 s left | search | 34 tried | a sample | best 40 us modelled");
  progress.seconds_budget = 0;
  EXPECT_TRUE(progress_text(progress, TimeKind::modelled).starts_with("70 s | search"));
}

TEST(ProgressLine, TheSameLineComesIntoALogOnce) {
  std::atomic<int> asked = 0;
  testing::internal::CaptureStderr();
  {
    ProgressLine line(false, 0.01);
    line.update([&](double) {
      ++asked;
      return std::string("0 s left");
    });
    while (asked < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "alphasparse: 0 s left\n");
}

}  // namespace
}  // namespace alphasparse
