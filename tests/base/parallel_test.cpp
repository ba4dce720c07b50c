// parallel_test: every index once, in the calling thread's order of completion, and errors.
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace alphasparse {
namespace {

TEST(Parallel, EveryIndexOnceWhateverTheWorkers) {
  for (const std::size_t workers : {0, 1, 3, 64}) {
    for (const std::size_t count : {0, 1, 2, 100}) {
      std::vector<std::atomic<int>> worked(count);
      std::vector<std::size_t> done;
      const auto caller = std::this_thread::get_id();
      parallel_for(
          count, workers,
          [&](std::size_t index, std::size_t worker) {
            ++worked[index];
            EXPECT_LT(worker, std::max<std::size_t>(1, std::min(workers, count)));
          },
          [&](std::size_t index) {
            EXPECT_EQ(std::this_thread::get_id(), caller);
            done.push_back(index);
          });
      for (const auto& times : worked) EXPECT_EQ(times, 1);
      if (workers > 1) std::sort(done.begin(), done.end());
      std::vector<std::size_t> all(count);
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(done, all);
    }
  }
}

TEST(Parallel, WorksAtOnce) {
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  parallel_for(4, 4, [&](std::size_t, std::size_t) {
    most = std::max(most.load(), ++inside);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (most < 2 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
    --inside;
  });
  EXPECT_GE(most, 2);
}

TEST(Parallel, TheFirstErrorIsThrownWhenAllHaveEnded) {
  for (const std::size_t workers : {1, 4}) {
    std::atomic<int> worked = 0;
    std::atomic<bool> thrown = false;
    const auto run = [&] {
      parallel_for(1000, workers, [&](std::size_t index, std::size_t) {
        ++worked;
        if (index == 3) {
          thrown = true;
          throw std::runtime_error("three");
        }
        // However late the one that throws comes to its turn on a busy machine.
        while (index > 3 && !thrown) std::this_thread::yield();
        if (index > 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_LT(worked, 1000);
    const auto in_done = [&] {
      parallel_for(
          1000, workers, [](std::size_t, std::size_t) {},
          [](std::size_t) { throw std::runtime_error("done"); });
    };
    EXPECT_THROW(in_done(), std::runtime_error);
  }
}

}  // namespace
}  // namespace alphasparse
