// time_limit: the time of a thread's long steps, and of the threads that it starts.
#include "base/time_limit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "base/parallel.h"
#include "base/ranges.h"

namespace alphasparse {
namespace {

TEST(TimeLimit, EndsLoopsWhileItLives) {
  bool over = false;
  const TimeLimit::IsOver is_over = [&] { return over; };
  end_if_over();
  {
    const TimeLimit limit(&is_over);
    end_if_over();
    over = true;
    EXPECT_THROW(end_if_over(), TimeOver);
    EXPECT_THROW(end_if_over(0), TimeOver);
    end_if_over(1);  // between two looks
    {
      const TimeLimit none(nullptr);
      end_if_over();
    }
    EXPECT_THROW(end_if_over(), TimeOver);
  }
  end_if_over();
}

TEST(TimeLimit, HoldsInTheThreadsThatAreStarted) {
  // Over for the others alone: nothing is thrown where they do not hold the limit of this thread.
  const TimeLimit::IsOver is_over = [caller = std::this_thread::get_id()] {
    return std::this_thread::get_id() != caller;
  };
  const TimeLimit limit(&is_over);
  end_if_over();
  std::atomic<int> begun = 0, ended = 0;
  const auto work = [&](std::size_t, std::size_t) {
    ++begun;
    end_if_over();
    ++ended;
  };
  // The caller takes the ends, and does no work itself.
  EXPECT_THROW(parallel_for(4, 4, work, [](std::size_t) {}), TimeOver);
  EXPECT_GT(begun, 0);
  EXPECT_EQ(ended, 0);
}

TEST(TimeLimit, NoRangeBeginsWhenItIsOver) {
  const TimeLimit::IsOver is_over = [] { return true; };
  const TimeLimit limit(&is_over);
  int begun = 0;
  EXPECT_THROW(for_ranges(10, [&](std::int64_t, std::int64_t) { ++begun; }), TimeOver);
  EXPECT_EQ(begun, 0);
}

}  // namespace
}  // namespace alphasparse
