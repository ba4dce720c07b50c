// beside: one result is used while the next is made, and no more are made ahead.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/pause_beside.h"

namespace alphasparse {
namespace {

TEST(Beside, ResultsComeInOrderToTheCaller) {
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<std::size_t> made(9, 0), used;
  work_beside(
      made.size(),
      [&](std::size_t index) {
        EXPECT_NE(std::this_thread::get_id(), caller);
        made[index] = index + 1;
      },
      [&](std::size_t index) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        EXPECT_EQ(made[index], index + 1);
        used.push_back(index);
      });
  EXPECT_EQ(used, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

/// Each use waits until the next result is being made: without overlap this would wait for ever.
TEST(Beside, TheNextIsMadeWhileOneIsUsed) {
  constexpr std::size_t count = 5;
  std::vector<std::promise<void>> begun(count);
  std::vector<std::size_t> used;
  work_beside(
      count, [&](std::size_t index) { begun[index].set_value(); },
      [&](std::size_t index) {
        if (index + 1 < count) begun[index + 1].get_future().wait();
        used.push_back(index);
      });
  EXPECT_EQ(used.size(), count);
}

TEST(Beside, NoMoreThanOneIsMadeAhead) {
  std::atomic<std::size_t> in_use = 0;
  work_beside(
      20, [&](std::size_t index) { EXPECT_LE(index, in_use + 1); },
      [&](std::size_t index) { in_use = index + 1; });
}

TEST(Beside, NothingIsDoneForNothing) {
  const auto never = [](std::size_t) { FAIL(); };
  work_beside(0, never, never);
}

TEST(Beside, AnExceptionOfTheWorkComesToTheCaller) {
  std::vector<std::size_t> used;
  const auto fail_at_two = [](std::size_t index) {
    if (index == 2) throw std::runtime_error("at two");
  };
  const auto use = [&](std::size_t index) { used.push_back(index); };
  EXPECT_THROW(work_beside(5, fail_at_two, use), std::runtime_error);
  EXPECT_EQ(used, (std::vector<std::size_t>{0, 1}));
}

TEST(Beside, AnExceptionOfTheUseEndsTheWork) {
  std::atomic<std::size_t> made = 0;
  const auto make = [&](std::size_t) { ++made; };
  const auto refuse = [](std::size_t) { throw std::runtime_error("refused"); };
  EXPECT_THROW(work_beside(1000, make, refuse), std::runtime_error);
  EXPECT_LE(made, 2);
}

TEST(Beside, AnExceptionInAPauseEndsTheWorkThatWaits) {
  struct Slow {
    ~Slow() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }
  };
  std::promise<void> second;
  std::unique_ptr<PauseBeside> pause;
  std::atomic<int> made = 0;
  const auto make = [&](std::size_t index) {
    ++made;
    if (index == 1) second.set_value();
  };
  const auto use = [&](std::size_t index) {
    if (index == 0) {
      second.get_future().wait();
      pause = std::make_unique<PauseBeside>();
      return;
    }
    const Slow unwinding;
    const std::unique_ptr<PauseBeside> ends_here = std::move(pause);
    throw std::runtime_error("refused");
  };
  EXPECT_THROW(work_beside(3, make, use), std::runtime_error);
  EXPECT_EQ(made, 2);
}

TEST(Beside, APauseWaitsForTheEndOfTheWork) {
  std::atomic<int> at_work = 0, made = 0;
  std::promise<void> second, pausing;
  work_beside(
      3,
      [&](std::size_t index) {
        ++at_work;
        if (index == 1) {
          second.set_value();
          pausing.get_future().wait();
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        --at_work;
        ++made;
      },
      [&](std::size_t index) {
        if (index != 0) return;
        second.get_future().wait();
        pausing.set_value();
        const PauseBeside pause;
        EXPECT_EQ(at_work, 0);
      });
  EXPECT_EQ(made, 3) << "and goes on after it";
}

TEST(Beside, NoWorkBeginsDuringAPause) {
  auto pause = std::make_unique<PauseBeside>();
  auto within = std::make_unique<PauseBeside>();
  std::atomic<int> begun = 0;
  std::thread caller([&] {
    work_beside(
        2, [&](std::size_t) { ++begun; }, [](std::size_t) {});
  });
  for (std::unique_ptr<PauseBeside>* const next : {&within, &pause}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(begun, 0);
    next->reset();
  }
  caller.join();
  EXPECT_EQ(begun, 2);
}

}  // namespace
}  // namespace alphasparse
