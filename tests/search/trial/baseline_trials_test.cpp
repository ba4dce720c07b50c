// baseline_trials: no baseline is waited for beyond the end of the budget.
#include "search/trial/baseline_trials.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

namespace alphasparse {
namespace {

/// A CPU that has no kernel, and keeps the deadline of each that it was asked for.
class AskedCpu : public Device {
 public:
  AskedCpu() {
    info_.kind = TimeKind::measured;
    info_.target = Target::cpu;
  }
  const DeviceInfo& info() const override { return info_; }
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel&) override {
    asked.push_back(deadline_);
    return Failure{Status::pruned, "it has none"};
  }
  void set_deadline(const Deadline& deadline) override { deadline_ = deadline; }

  std::vector<Deadline> asked;

 private:
  DeviceInfo info_;
  Deadline deadline_;
};

TEST(BaselineTrials, TheFirstEndsWithTheBudgetHoweverSmallTheirShareIs) {
  const Matrix matrix{3, 3, {0, 2, 2, 4}, {0, 2, 1, 2}, {1, 2, 3, 4}};
  AskedCpu device;
  Trial trial(matrix, device, {});
  const std::atomic<bool> stop = false;
  const auto asked_until = [&](const Deadline& end) {
    device.asked.clear();
    Outcomes known;
    BaselineShare share(0, Target::cpu);
    try_baselines(
        trial, baselines(Target::cpu), share, known, [](const Measurement&) { return true; }, end);
    return device.asked;
  };
  const Deadline in_an_hour{Deadline::after(3600), &stop};
  EXPECT_FALSE(asked_until(in_an_hour).empty());
  for (const Deadline& deadline : device.asked) EXPECT_EQ(deadline.time, in_an_hour.time);
  EXPECT_TRUE(asked_until({Deadline::after(-1), &stop}).empty()) << "the budget is spent";
}

}  // namespace
}  // namespace alphasparse
