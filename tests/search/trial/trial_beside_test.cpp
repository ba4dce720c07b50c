// trial: of a large matrix on a GPU, one design is tried while the next is built and compiled.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "generator/arrays/large_matrix.h"
#include "runtime/device/known_kernel.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/processes/environment.h"
#include "search/space/prune_rules.h"
#include "search/trial/trial.h"

namespace alphasparse {
namespace {

/// Rows of equal length with the same columns each.
Matrix matrix_of(std::int32_t rows, std::int32_t length) {
  Matrix matrix;
  matrix.rows = rows;
  matrix.cols = length;
  const std::size_t nnz = static_cast<std::size_t>(rows) * static_cast<std::size_t>(length);
  matrix.col.reserve(nnz);
  matrix.row_first.push_back(0);
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t col = 0; col < length; ++col) matrix.col.push_back(col);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(nnz, 1);
  return matrix;
}

/// Whether designs of a large matrix are built beside each other here.
bool has_memory() { return available_memory_bytes() > 4'000'000'000; }

/// How often the thread beside has asked a device for its identity: equally often for each design.
class Questions {
 public:
  void asked() {
    if (std::this_thread::get_id() == caller_) return;
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  int count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  /// Whether there are so many before a minute is over.
  bool reach(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(1), [&] { return count_ >= count; });
  }

 private:
  const std::thread::id caller_ = std::this_thread::get_id();
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

/// Its kernels are all wrong. With `each`, the questions for one design, a kernel is only told so
/// when the next design has been built and is to be compiled.
class WatchedGpu : public Device {
 public:
  WatchedGpu(std::size_t designs, int each) : designs_(designs), each_(each) {
    info_.name = info_.gpu = "watched";
    info_.kind = TimeKind::measured;
    info_.arch = "sm_90";
  }
  const DeviceInfo& info() const override {
    questions.asked();
    return info_;
  }
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    loaded.push_back(kernel.design);
    return std::unique_ptr<LoadedKernel>(std::make_unique<Wrong>(*this));
  }

  mutable Questions questions;
  std::vector<std::string> loaded;
  std::vector<bool> overlapped;

 private:
  class Wrong : public LoadedKernel {
   public:
    explicit Wrong(WatchedGpu& gpu) : gpu_(gpu) {}
    Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase>) override {
      const std::size_t tried = gpu_.loaded.size();
      if (gpu_.each_ > 0 && tried < gpu_.designs_) {
        const int next = static_cast<int>(tried + 1) * gpu_.each_;
        gpu_.overlapped.push_back(gpu_.questions.reach(next));
      }
      return Failure{Status::wrong_result, "is wrong"};
    }
    Result<Timing> time(const SpmvCase&, const TimingRequest&) override {
      return Failure{Status::wrong_result, "is wrong"};
    }
    StillRead still_reads() const override { return StillRead::nothing; }

   private:
    WatchedGpu& gpu_;
  };

  const std::size_t designs_;
  const int each_;
  DeviceInfo info_;
};

Subjects subjects(const std::vector<std::string>& lines) {
  Subjects all;
  for (const std::string& line : lines) all.push_back(Subject::read(line).value());
  return all;
}

const std::vector<std::string> lines = {
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=128",
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256",
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=512"};

/// The designs of outcomes, in the order in which they were told.
std::vector<std::string> try_all(const Matrix& matrix, WatchedGpu& device, const Subjects& all) {
  Trial trial(matrix, device, {}, 1);
  std::vector<std::string> told;
  trial.run(all, {}, 0, [&](const Measurement& outcome) {
    EXPECT_EQ(outcome.status, Status::wrong_result) << outcome.reason;
    told.push_back(outcome.design);
  });
  return told;
}

TEST(TrialBeside, TheNextDesignOfALargeMatrixIsBuiltWhileOneIsTried) {
  if (!has_memory()) GTEST_SKIP() << "the memory holds no two designs";
  const Matrix matrix = matrix_of(100'100, 160);
  ASSERT_GT(matrix.nnz(), large_nnz);
  const Subjects all = subjects(lines);
  WatchedGpu counting(all.size(), 0);
  (void)try_all(matrix, counting, all);
  const int questions = counting.questions.count(), designs = static_cast<int>(all.size());
  ASSERT_GT(questions, 0);
  ASSERT_EQ(questions % designs, 0);
  WatchedGpu device(all.size(), questions / designs);
  EXPECT_EQ(try_all(matrix, device, all), device.loaded);
  EXPECT_EQ(device.overlapped, (std::vector<bool>{true, true}));
  EXPECT_EQ(device.loaded.size(), all.size());
}

TEST(TrialBeside, ADesignThatGivesTheSameKernelIsADuplicate) {
  const Matrix matrix = matrix_of(100'100, 160);
  WatchedGpu device(2, 0);
  EXPECT_EQ(try_all(matrix, device, subjects({lines[0], lines[0]})).size(), 2);
  EXPECT_EQ(device.loaded.size(), 1);
}

/// Its kernels cannot be loaded.
class BrokenGpu : public WatchedGpu {
 public:
  BrokenGpu() : WatchedGpu(0, 0) {}
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    loaded.push_back(kernel.design);
    throw environment_error("is broken");
  }
};

TEST(TrialBeside, AfterAFaultNothingIsTriedUntilTheDeviceWasChecked) {
  if (!has_memory()) GTEST_SKIP() << "the memory holds no two designs";
  const Matrix matrix = matrix_of(100'100, 160);
  BrokenGpu device;
  const Subjects all = subjects(lines);
  EXPECT_THROW(try_all(matrix, device, all), Error);
  EXPECT_EQ(device.loaded.front(), all[0].name());
  for (const Subject& next : {all[1], all[2]})
    EXPECT_EQ(std::count(device.loaded.begin(), device.loaded.end(), next.name()), 0);
}

/// y = alpha * A * x + beta * y of a kernel with the arrays of CSR.
class RightKernel : public LoadedKernel {
 public:
  explicit RightKernel(const Kernel& kernel) : kernel_(kernel) {}
  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    const auto first = numbers<std::int32_t>(kernel_.arrays[0].bytes);
    const auto column = numbers<std::int32_t>(kernel_.arrays[1].bytes);
    const auto value = numbers<float>(kernel_.arrays[2].bytes);
    const auto x = numbers<float>(cases[0].x);
    auto y = numbers<float>(cases[0].y);
    for (std::int32_t row = 0; row < kernel_.rows; ++row) {
      float sum = 0;
      for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz)
        sum += value[nz] * x[column[nz]];
      y[row] = static_cast<float>(cases[0].scaling.alpha.re) * sum +
               static_cast<float>(cases[0].scaling.beta.re) * y[row];
    }
    const auto bytes = std::as_bytes(std::span(y));
    return std::vector<SpmvOutcome>{{{bytes.begin(), bytes.end()}}};
  }
  Result<Timing> time(const SpmvCase&, const TimingRequest&) override { return Timing(); }
  StillRead still_reads() const override { return StillRead::all; }

 private:
  template <class T, class Bytes>
  static std::vector<T> numbers(const Bytes& bytes) {
    std::vector<T> all(bytes.size() / sizeof(T));
    std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
  }

  const Kernel& kernel_;
};

/// It works, but each design crashes it, the first time perhaps after a fault.
class CrashingGpu : public WatchedGpu {
 public:
  explicit CrashingGpu(bool faults) : WatchedGpu(0, 0), faults_(faults) {}
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    if (is_known_kernel(kernel))
      return std::unique_ptr<LoadedKernel>(std::make_unique<RightKernel>(kernel));
    loaded.push_back(kernel.design);
    if (faults_ && times_loaded(kernel.design) == 1) throw environment_error("is broken");
    return Failure{Status::crash, "illegal address"};
  }
  std::int64_t times_loaded(const std::string& design) const {
    return std::count(loaded.begin(), loaded.end(), design);
  }

 private:
  const bool faults_;
};

/// The ban follows from the second verdict, when the next design has been built already.
TEST(TrialBeside, ABanHoldsForDesignsThatAreBuiltButNotBegun) {
  if (!has_memory()) GTEST_SKIP() << "the memory holds no two designs";
  const Matrix matrix = matrix_of(100'100, 160);
  for (const bool faults : {false, true}) {
    CrashingGpu device(faults);
    Trial trial(matrix, device, {}, 1);
    ASSERT_GT(trial.batch_size(), 1);
    const Subjects all = subjects(
        {lines[0], lines[1], lines[2],
         "compress | thread_rows rows=1 | thread_total | global_store | launch threads=64"});
    Outcomes outcomes;
    KnownDesigns known;
    const auto is_allowed = [&](const Subject& subject) {
      return !prune_reason(outcomes, known, *subject.design());
    };
    trial.run(
        all, {}, 0, [&](const Measurement& outcome) { outcomes[outcome.design] = outcome; },
        is_allowed);
    EXPECT_EQ(outcomes.size(), 2);
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(device.times_loaded(all[i].name()), i < 2 ? 2 : 0) << all[i].name();
    for (const auto& [design, outcome] : outcomes) {
      EXPECT_EQ(outcome.status, Status::crash);
      EXPECT_FALSE(outcome.unsettled);
    }
  }
}

/// It works, but the host has no memory for the first design the first time. Others are too large
/// for it.
class CrowdedGpu : public WatchedGpu {
 public:
  CrowdedGpu() : WatchedGpu(0, 0) {}
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    if (is_known_kernel(kernel))
      return std::unique_ptr<LoadedKernel>(std::make_unique<RightKernel>(kernel));
    loaded.push_back(kernel.design);
    if (loaded.size() == 1) throw host_memory_error("a double is full");
    return Failure{Status::out_of_memory, "too large"};
  }
};

TEST(TrialBeside, ADesignThatLackedMemoryIsTriedAgainWhenNoOtherIsHeld) {
  if (!has_memory()) GTEST_SKIP() << "the memory holds no two designs";
  const Matrix matrix = matrix_of(100'100, 160);
  CrowdedGpu device;
  const Subjects all = subjects(lines);
  Trial trial(matrix, device, {}, 1);
  int outcomes = 0;
  trial.run(all, {}, 0, [&](const Measurement& outcome) {
    EXPECT_EQ(outcome.status, Status::out_of_memory) << outcome.reason;
    ++outcomes;
  });
  EXPECT_EQ(outcomes, static_cast<int>(all.size()));
  std::vector<std::string> order;
  for (const Subject& subject : all) order.push_back(subject.name());
  order.push_back(all.front().name());
  EXPECT_EQ(device.loaded, order);
}

TEST(TrialBeside, ASmallMatrixHasTheMachineToItself) {
  const Matrix matrix = matrix_of(100, 16);
  const Subjects all = subjects(lines);
  WatchedGpu device(all.size(), 0);
  EXPECT_EQ(try_all(matrix, device, all), device.loaded);
  EXPECT_EQ(device.questions.count(), 0);
}

TEST(TrialBeside, ABatchOfALargeMatrixHasSeveralDesigns) {
  if (!has_memory()) GTEST_SKIP() << "the memory holds no two designs";
  const Matrix large = matrix_of(100'100, 160), small = matrix_of(100, 16);
  WatchedGpu device(0, 0);
  EXPECT_EQ(Trial(small, device, {}, 1).batch_size(), 1);
  EXPECT_GT(Trial(large, device, {}, 1).batch_size(), 1);
}

}  // namespace
}  // namespace alphasparse
