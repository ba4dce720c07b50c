// trial_faults: the fate of designs that meet faults of the environment, or seem to fail by one.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "operators/named_designs.h"
#include "runtime/device/known_kernel.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/sqlite.h"
#include "search/trial/trial.h"
#include "search/trial/trial_loop.h"
#include "search/tune.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// A CPU that does wrong as often as it is told, design by design.
class FaultyDevice : public Device {
 public:
  enum class How { fault, crash, no_compile };
  struct Wrong {
    How how = How::fault;
    int times = 0;
  };

  const DeviceInfo& info() const override { return device_->info(); }

  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    if (is_known_kernel(kernel)) {
      ++known_loads;
      if (is_broken) throw environment_error("the disk is full");
    }
    Wrong& found = wrong[kernel.design];
    if (found.times == 0) return device_->load(kernel);
    --found.times;
    if (found.how == How::crash) return Failure{Status::crash, "illegal address"};
    if (found.how == How::no_compile) return Failure{Status::compile_error, "line 1: no"};
    throw environment_error("the compiler was killed");
  }

  std::map<std::string, Wrong> wrong;
  bool is_broken = false;
  int known_loads = 0;

 private:
  std::unique_ptr<Device> device_ = open_unchecked_device("cpu:1");
};

struct TrialFaults : ::testing::Test {
  const Matrix matrix{3, 3, {0, 2, 2, 4}, {0, 2, 1, 2}, {1, 2, 3, 4}};
  const std::string design = resolve_design("csr-scalar", Target::cpu);
  FaultyDevice device;
  Trial trial{matrix, device, {}};

  Measurement tried() { return trial.run(design, {}); }
};

TEST_F(TrialFaults, OneFaultIsForgottenOnceTheDeviceHasShownThatItWorks) {
  device.wrong[design] = {FaultyDevice::How::fault, 1};
  const Measurement outcome = tried();
  EXPECT_EQ(outcome.status, Status::ok) << outcome.reason;
  EXPECT_TRUE(outcome.verified);
  EXPECT_EQ(device.known_loads, 1);
}

TEST_F(TrialFaults, ADesignThatMeetsFaultsAgainIsSkipped) {
  device.wrong[design] = {FaultyDevice::How::fault, 2};
  const Measurement outcome = tried();
  EXPECT_TRUE(outcome.unsettled);
  EXPECT_EQ(outcome.status, Status::pruned);
  EXPECT_EQ(outcome.reason, "the compiler was killed");
  EXPECT_EQ(device.known_loads, 2);
  EXPECT_EQ(tried().status, Status::ok) << "nothing is kept of it";
}

TEST_F(TrialFaults, ADeviceThatDoesNotWorkEndsTheTrials) {
  for (const auto how : {FaultyDevice::How::fault, FaultyDevice::How::crash}) {
    device.wrong[design] = {how, 1};
    device.is_broken = true;
    try {
      tried();
      FAIL() << "went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::no_device);
      EXPECT_NE(std::string(error.what()).find("cpu:1 does not work: the disk is full"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST_F(TrialFaults, AVerdictAgainstADesignTakesTwoLooks) {
  for (const auto how : {FaultyDevice::How::crash, FaultyDevice::How::no_compile}) {
    trial.forget({CanonicalDesign::read(design).value()});
    device.wrong[design] = {how, 1};
    EXPECT_EQ(tried().status, Status::ok);
    trial.forget({CanonicalDesign::read(design).value()});
    device.wrong[design] = {how, 2};
    const Measurement outcome = tried();
    EXPECT_NE(outcome.status, Status::ok);
    EXPECT_FALSE(outcome.unsettled) << "it is the design's";
  }
}

struct TuneFaults : TrialFaults {
  TestFolder folder;
  const std::string path = (folder / "t.db").string();
  Database database = Database::open(path);

  TuneResult search(std::int64_t trials) { return search_with(&database, trials); }
  TuneResult search_without_database(std::int64_t trials) { return search_with(nullptr, trials); }

  TuneResult search_with(Database* kept, std::int64_t trials) {
    TuneOptions options;
    options.effort = {600, trials, 0};
    const std::atomic<bool> never = false;
    return tune(matrix, device, kept, options, {}, never);
  }
};

TEST_F(TuneFaults, ASkippedDesignHasNoRowAndIsTriedByTheNextSearch) {
  const TuneResult clean = search_without_database(12);
  ASSERT_TRUE(clean.outcomes.contains(design)) << "it is among the first";
  device.wrong[design] = {FaultyDevice::How::fault, 1000};
  const TuneResult first = search(12);
  EXPECT_EQ(first.skipped, 1);
  EXPECT_EQ(first.skip_reason, "the compiler was killed");
  ASSERT_TRUE(first.winner);
  EXPECT_FALSE(first.outcomes.contains(design));
  for (const auto& [text, outcome] : first.outcomes) {
    EXPECT_TRUE(outcome.status == Status::ok || outcome.status == Status::duplicate ||
                outcome.status == Status::pruned)
        << text << outcome.reason;
  }
  EXPECT_EQ(Sqlite(path).integer("SELECT count(*) FROM run_end WHERE state = 'complete'"), 0);
  device.wrong.clear();
  const TuneResult second = search(18);
  EXPECT_EQ(second.tier, Tier::resumed);
  EXPECT_TRUE(second.outcomes.contains(design));
}

TEST_F(TuneFaults, ABrokenDeviceEndsTheSearchWithTheBestSoFar) {
  device.wrong[resolve_design("jds", Target::cpu)] = {FaultyDevice::How::fault, 1};
  device.is_broken = true;
  const TuneResult result = search(12);
  ASSERT_TRUE(result.broken);
  EXPECT_EQ(result.broken->code(), ExitCode::no_device);
  EXPECT_EQ(result.skipped, 0);
}

}  // namespace
}  // namespace alphasparse
