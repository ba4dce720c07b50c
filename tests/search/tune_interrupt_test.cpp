// tune_interrupt: an interrupt in the last parts of a search leaves a run that is unfinished, and
// the same call goes on. The last parts are the comparison in turn, the explanation and the files.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/device/known_kernel.h"
#include "runtime/system/sqlite.h"
#include "search/tune.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// A kernel with a first sample that interrupts the search, where `stop` is there.
class StoppingKernel : public LoadedKernel {
 public:
  StoppingKernel(std::unique_ptr<LoadedKernel> kernel, std::atomic<bool>*& stop)
      : kernel_(std::move(kernel)), stop_(stop) {}

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    return kernel_->run(cases);
  }
  Result<Timing> time(const SpmvCase& input, const TimingRequest& request) override {
    return kernel_->time(input, request);
  }
  StillRead still_reads() const override { return kernel_->still_reads(); }
  Result<std::vector<double>> sample(int count) override {
    if (stop_ != nullptr) *stop_ = true;
    return kernel_->sample(count);
  }

 private:
  std::unique_ptr<LoadedKernel> kernel_;
  std::atomic<bool>*& stop_;
};

class StoppingDevice : public Device {
 public:
  const DeviceInfo& info() const override { return device_->info(); }
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    auto loaded = device_->load(kernel);
    if (!loaded) return loaded.failure();
    return std::unique_ptr<LoadedKernel>(
        std::make_unique<StoppingKernel>(std::move(*loaded), stop_at_samples));
  }
  void set_deadline(const Deadline& deadline) override { device_->set_deadline(deadline); }

  std::atomic<bool>* stop_at_samples = nullptr;

 private:
  std::unique_ptr<Device> device_ = open_unchecked_device("cpu:1");
};

struct TuneInterrupt : ::testing::Test {
  const Matrix matrix{3, 3, {0, 2, 2, 4}, {0, 2, 1, 2}, {1, 2, 3, 4}};
  TestFolder folder;
  const std::string path = (folder / "t.db").string();
  Database database = Database::open(path);
  StoppingDevice device;
  TuneOptions options;
  std::atomic<bool> stop = false;

  TuneInterrupt() { options.effort = {600, 4, 0}; }

  TuneResult search(const ProgressCallback& progress = {}, const Deliver& deliver = {}) {
    stop = false;
    return tune(matrix, device, &database, options, progress, stop, deliver);
  }

  std::int64_t runs(const std::string& state) {
    return Sqlite(path).integer(
        ("SELECT count(*) FROM run_end JOIN run ON run.key = run_end.run JOIN problem ON "
         "problem.key = run.problem WHERE problem.options <> 'vendor' AND state = '" +
         state + "'")
            .c_str());
  }

  /// The same call is no answer at once, and comes to its end.
  void expect_to_go_on() {
    device.stop_at_samples = nullptr;
    const TuneResult next = search();
    EXPECT_EQ(next.tier, Tier::resumed);
    EXPECT_FALSE(next.interrupted);
    EXPECT_EQ(runs("complete"), 1);
    EXPECT_EQ(search().tier, Tier::exact);
  }
};

TEST_F(TuneInterrupt, WhileTheBestAreComparedInTurn) {
  device.stop_at_samples = &stop;
  const TuneResult result = search();
  ASSERT_TRUE(stop) << "there were finals";
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.winner);
  EXPECT_EQ(runs("interrupted"), 1);
  EXPECT_EQ(runs("complete"), 0);
  expect_to_go_on();
}

TEST_F(TuneInterrupt, WhileTheFilesAreWritten) {
  const TuneResult result = search({}, [&](const TuneResult& found) {
    EXPECT_TRUE(found.winner);
    EXPECT_FALSE(found.interrupted);
    stop = true;
  });
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(runs("interrupted"), 1);
  expect_to_go_on();
}

TEST_F(TuneInterrupt, WhileTheWinnerIsExplained) {
  search();
  ASSERT_EQ(runs("complete"), 1);
  options.explain = true;
  const TuneResult result = search([&](const Progress& told) {
    if (!told.trying.empty()) stop = true;
  });
  ASSERT_TRUE(stop) << "something was tried for the explanation";
  EXPECT_EQ(result.tier, Tier::exact);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(runs("interrupted"), 1);
  const TuneResult next = search();
  EXPECT_FALSE(next.interrupted);
  ASSERT_TRUE(next.explanation);
  EXPECT_GT(next.trials_explaining, 0) << "the explanation goes on";
}

TEST_F(TuneInterrupt, WhatFilesThrowEndsTheRunAndIsThrown) {
  EXPECT_THROW(search({}, [](const TuneResult&) { throw Error("the disk is full"); }), Error);
  EXPECT_EQ(runs("complete"), 1);
  EXPECT_EQ(search().tier, Tier::exact);
}

}  // namespace
}  // namespace alphasparse
