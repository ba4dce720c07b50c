// ctest label: timing
// cpu_timing: samples of work on this machine, with other work beside them.
#include "runtime/cpu/timing.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <ctime>
#include <thread>

#include "runtime/cpu/conductor.h"
#include "runtime/cpu/machine.h"

namespace alphasparse {
namespace {

/// Uses so much of its thread's processor time.
void work_for(double us) {
  const auto used = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
  };
  for (const double start = used(); used() < start + us;) {
  }
}

TEST(CpuTiming, IsTheWorksProcessorTimeAndNotItsPauses) {
  CacheFlush flush(1 << 20);
  const auto work = [] {
    work_for(200);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  CpuSampler sampler(work, 1, CacheRegime::warm, flush);
  const Timing timing = sampler.time({CacheRegime::warm, 0, 7});
  EXPECT_GE(timing.time_us_min, 200);
  EXPECT_LT(timing.time_us_min, 20'000);  // the pause took no processor time
  EXPECT_LE(timing.time_us_min, timing.time_us_p20);
  EXPECT_LE(timing.time_us_p20, timing.time_us);
  EXPECT_LE(timing.time_us, timing.time_us_p80);
  EXPECT_GE(timing.samples, 7);
  EXPECT_NE(timing.note.find("processor time"), std::string::npos) << timing.note;
}

TEST(CpuTiming, OfAShortWorkIsTheMeanOfMany) {
  CacheFlush flush(1 << 20);
  int runs = 0;
  CpuSampler sampler([&] { ++runs, work_for(2); }, 1, CacheRegime::warm, flush);
  const Timing timing = sampler.time({CacheRegime::warm, 0, 7});
  EXPECT_NE(timing.note.find("a sample is the mean of"), std::string::npos) << timing.note;
  EXPECT_GT(runs, 7 * 20);
  EXPECT_GE(timing.time_us_min, 2);
}

/// Whether a time was given up after so many runs; where others disturbed all of them, it must not.
bool is_given_up(const Timing& timing, const std::string& words) {
  return timing.disturbed || timing.note.find(words) != std::string::npos;
}

TEST(CpuTiming, GivesUpWhatIsClearlySlower) {
  CacheFlush flush(1 << 20);
  int runs = 0;
  CpuSampler sampler([&] { ++runs, work_for(2000); }, 1, CacheRegime::warm, flush);
  Timing timing;
  for (int attempt = 0; attempt < 20; ++attempt) {  // a run that was interrupted says less
    runs = 0;
    timing = sampler.time({CacheRegime::warm, 10, 0});
    if (is_given_up(timing, "given up after 5 runs")) break;
  }
  EXPECT_TRUE(is_given_up(timing, "given up after 5 runs")) << timing.note;
  if (!timing.disturbed) {
    EXPECT_EQ(runs, 5);
  }
  EXPECT_LE(sampler.sample(3).size(), 3u);
  CpuSampler slower([&] { work_for(60'000); }, 1, CacheRegime::warm, flush);
  const Timing slow = slower.time({CacheRegime::warm, 10, 0});
  EXPECT_TRUE(is_given_up(slow, "given up after ")) << slow.note;
}

TEST(CpuTiming, OneRunThatWaitedIsNotTheTime) {
  CacheFlush flush(1 << 20);
  int runs = 0;
  const auto work = [&] { work_for(runs++ == 0 ? 2000 : 20); };
  const Timing timing =
      CpuSampler(work, 1, CacheRegime::warm, flush).time({CacheRegime::warm, 50, 0});
  EXPECT_GE(timing.samples, 3) << timing.note;
  EXPECT_LT(timing.time_us_min, 2000);
}

TEST(CpuTiming, ColdTakesOneRunASample) {
  CacheFlush flush(1 << 20);
  int runs = 0;
  CpuSampler sampler([&] { ++runs, work_for(5); }, 1, CacheRegime::cold, flush);
  const Timing timing = sampler.time({CacheRegime::cold, 0, 7});
  EXPECT_GE(runs, timing.samples);
  EXPECT_LE(runs, 40);  // three are thrown away for each that is kept, at most
}

TEST(CpuTiming, LongRunsTakeFewSamples) {
  CacheFlush flush(1 << 20);
  CpuSampler sampler([] { work_for(400); }, 1, CacheRegime::warm, flush);
  TimingPlan plan = cpu_timing;
  plan.total_us_max = 0;
  EXPECT_EQ(sampler.time({CacheRegime::warm, 0}, plan).samples, plan.samples_min);
  plan.long_us_min = 1;
  EXPECT_EQ(sampler.time({CacheRegime::warm, 0}, plan).samples, plan.samples_few);
}

TEST(CpuTiming, OfThreadsThatWaitForACoreIsNoisy) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);  // the other one begins there too
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop) work_for(500);
  });
  CacheFlush flush(1 << 20);
  CpuSampler sampler([] { work_for(10'000); }, 2, CacheRegime::warm, flush);
  const Timing timing = sampler.time({CacheRegime::warm, 0, 7});
  const Timing hopeless = sampler.time({CacheRegime::warm, 10, 7});
  const std::size_t samples = sampler.sample(2).size();
  stop = true;
  other.join();
  EXPECT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_TRUE(timing.noisy);
  EXPECT_TRUE(timing.disturbed);
  EXPECT_NE(timing.note.find("samples were disturbed"), std::string::npos) << timing.note;
  EXPECT_EQ(hopeless.note.find("given up"), std::string::npos) << "by disturbed runs alone";
  EXPECT_EQ(samples, 0U) << "in turn with others";
}

TEST(Conductor, DoesWhatItIsToldOnOneThreadOfItsOwn) {
  Conductor conductor;
  std::thread::id first, second;
  conductor.run([&] { first = std::this_thread::get_id(); });
  conductor.run([&] { second = std::this_thread::get_id(); });
  EXPECT_EQ(first, second);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(CpuMachine, KnowsItsNameAndCores) {
  const CpuMachine machine = this_machine();
  EXPECT_FALSE(machine.name.empty());
  EXPECT_FALSE(machine.isa.empty());
  EXPECT_GE(machine.threads, 1);
  EXPECT_LE(machine.threads, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

}  // namespace
}  // namespace alphasparse
