// ranges: every entry once, in ranges long enough to be worth it, and no error is lost.
#include "base/ranges.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace alphasparse {
namespace {

TEST(Ranges, AreTheWholeOnceAndNoneIsShort) {
  for (const std::int64_t count : {0, 1, 9, 10, 19, 20, 1000, 1003}) {
    std::vector<int> times(count, 0);
    std::mutex mutex;
    for_ranges(
        count,
        [&](std::int64_t first, std::int64_t end) {
          const std::lock_guard lock(mutex);
          EXPECT_GE(end - first, std::min<std::int64_t>(10, count));
          for (std::int64_t i = first; i < end; ++i) ++times[i];
        },
        10);
    EXPECT_EQ(times, std::vector<int>(count, 1)) << count;
  }
}

TEST(Ranges, UseAllCores) {
  std::atomic<unsigned> ranges = 0;
  for_ranges(
      1'000'000, [&](std::int64_t, std::int64_t) { ++ranges; }, 10);
  EXPECT_EQ(ranges, std::max(1U, std::thread::hardware_concurrency()));
}

TEST(Ranges, UseAsManyCoresAsAreSet) {
  const auto ranges = [] {
    return parts_of_ranges(
               1'000'000, [](std::int64_t, std::int64_t) { return 0; }, 10)
        .size();
  };
  const std::size_t all = ranges();
  {
    const CoresForRanges one(1);
    EXPECT_EQ(ranges(), 1u);
    {
      const CoresForRanges seven(7);
      EXPECT_EQ(ranges(), 7u);
    }
    EXPECT_EQ(ranges(), 1u);
  }
  EXPECT_EQ(ranges(), all);
}

TEST(Ranges, PartsAreInOrder) {
  const CoresForRanges five(5);
  const auto make = [](std::int64_t first, std::int64_t end) { return std::pair(first, end); };
  const auto parts = parts_of_ranges(103, make, 10);
  ASSERT_EQ(parts.size(), 5u);
  std::vector<std::int64_t> together;
  std::int64_t next = 0;
  for (const auto& [first, end] : parts) {
    EXPECT_EQ(first, next);
    next = end;
    append_part(together, {first, end});
  }
  EXPECT_EQ(next, 103);
  EXPECT_EQ(together, (std::vector<std::int64_t>{0, 20, 20, 41, 41, 61, 61, 82, 82, 103}));
  EXPECT_TRUE(parts_of_ranges(0, make, 10).empty());
}

TEST(Ranges, WhatIsShortIsDoneByTheCaller) {
  const std::thread::id here = std::this_thread::get_id();
  for_ranges(range_least - 1,
             [&](std::int64_t, std::int64_t) { EXPECT_EQ(std::this_thread::get_id(), here); });
}

TEST(Ranges, ThrowWhatTheWorkThrows) {
  for (const std::int64_t count : {5, 1000}) {
    const auto fail = [](std::int64_t, std::int64_t) { throw std::runtime_error("no"); };
    EXPECT_THROW(for_ranges(count, fail, 10), std::runtime_error);
    // Only the last one throws, after all others are done.
    std::atomic<std::int64_t> done = 0;
    const auto fail_last = [&](std::int64_t first, std::int64_t end) {
      done += end - first;
      if (end == count) throw std::runtime_error("no");
    };
    EXPECT_THROW(for_ranges(count, fail_last, 10), std::runtime_error);
    EXPECT_EQ(done, count);
  }
}

TEST(Ranges, ItemsThatAreWorthAThreadHaveEnoughEntries) {
  EXPECT_EQ(grain_size(100, 0), 101);
  EXPECT_EQ(grain_size(100, 100 * range_least), 2);
  EXPECT_EQ(grain_size(range_least, range_least), 1 + range_least);
  EXPECT_EQ(grain_size(2'000'000'000, 2'000'000'000), 1 + range_least);
}

}  // namespace
}  // namespace alphasparse
