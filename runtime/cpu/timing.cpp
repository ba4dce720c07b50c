#include "runtime/cpu/timing.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

constexpr double waited_share_max = 0.1;  // of a sample, that several threads waited for a core
constexpr double lost_share_max = 0.02;   // of a sample, that interruptions may have taken:
constexpr double interruption_seconds = 1e-4;  // to fill caches again after another process,
constexpr double tick_seconds = 1e-2;          // and stolen time is told in ticks

double read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

long interruptions() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

/// Clock ticks that the machine's host has given to others; 0 where they are not reported.
long stolen_ticks() {
  std::ifstream file("/proc/stat");
  std::string label;
  long value = 0;
  file >> label;
  for (int field = 0; field < 8 && file >> value; ++field) {
  }
  return file ? value : 0;
}

/// Seconds that our threads together have waited for a core while they could have run; 0 where the
/// system does not report them. The time that a thread waits for others, or sleeps, is not among
/// them.
double seconds_waited() {
  double seconds = 0;
  std::error_code none;  // a thread may end meanwhile
  std::filesystem::directory_iterator task("/proc/self/task", none);
  for (; task != std::filesystem::directory_iterator(); task.increment(none)) {
    double run_ns = 0, waited_ns = 0;
    std::ifstream(task->path() / "schedstat") >> run_ns >> waited_ns;
    seconds += 1e-9 * waited_ns;
  }
  return seconds;
}

}  // namespace

const char* clock_name(int threads) { return threads == 1 ? "processor time" : "wall clock"; }

CacheFlush::CacheFlush(std::int64_t cache_bytes)
    : words_(2 * static_cast<std::size_t>(std::max<std::int64_t>(cache_bytes, 1 << 20)) /
             sizeof(std::uint64_t)) {}

void CacheFlush::operator()() {
  read_.resize(words_);
  std::uint64_t sum = 0;
  for (const std::uint64_t word : read_) sum += word;
  // Branches that no predictor can predict.
  std::uint64_t taken = 0;
  for (int branch = 0; branch < 20000; ++branch) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    if (state_ >> 63) taken += state_ >> 40;
  }
  read_[0] += (sum + taken) & 1;
}

Sample CpuSampler::measure(int repetitions) {
  if (regime_ == CacheRegime::cold) flush_();
  const clockid_t clock = threads_ == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  const long interrupted = interruptions(), stolen = stolen_ticks();
  const double waited = threads_ > 1 ? seconds_waited() : 0, start = read_clock(clock);
  for (int repetition = 0; repetition < repetitions; ++repetition) work_();
  const double seconds = read_clock(clock) - start;
  const double waited_seconds = threads_ > 1 ? seconds_waited() - waited : 0;
  Sample sample;
  sample.us = 1e6 * seconds / repetitions;
  const double lost_seconds =
      interruption_seconds * static_cast<double>(interruptions() - interrupted) +
      tick_seconds * static_cast<double>(stolen_ticks() - stolen);
  sample.disturbed = lost_seconds > lost_share_max * seconds ||
                     waited_seconds > waited_share_max * threads_ * seconds;
  return sample;
}

Timing CpuSampler::time(const TimingRequest& request, const TimingPlan& plan) {
  Timing timing;
  const Measure measured = [this](int repetitions) { return measure(repetitions); };
  const Samples first = *first_runs(measured, request, plan);
  run_us_ = first.us.front();
  add_note(timing, first.given_up);
  if (!first.given_up.empty()) {
    summarise_samples(first.us, timing);
    return timing;
  }
  batch_ = regime_ == CacheRegime::cold ? 1 : grown_batch(measured, plan)->repetitions;
  const Samples samples = *take_samples(measured, batch_, request, plan);
  summarise_samples(samples.us, timing);
  timing.noisy = timing.noisy || !samples.thrown.empty();
  timing.disturbed = samples.disturbed;
  add_note(timing, samples.thrown);
  add_note(timing, samples.given_up);
  add_note(timing, batch_ == 1 ? std::string(clock_name(threads_))
                               : fmt::format("{}; a sample is the mean of {}", clock_name(threads_),
                                             batch_));
  return timing;
}

/// Last caches may keep data that was read once for a shorter time than data that is read often. Of
/// 8 MB, in turn with others, runs took 0.67 ms after one that was not counted, and 0.28 after
/// many.
void CpuSampler::warm_up() {
  constexpr double us_min = 5e3;
  const int runs_most = regime_ == CacheRegime::cold ? 1 : 16;
  double us = 0;
  for (int run = 0; run < runs_most && us < us_min; ++run) us += measure(1).us;
}

std::vector<double> CpuSampler::sample(int count) {
  constexpr int thrown_max = 3;  // of each: a sample in turn must not wait for ever
  std::vector<double> us;
  if (run_us_ < long_run_us) warm_up();
  for (int taken = 0; taken < count; ++taken) {
    Sample sample = measure(batch_);
    for (int thrown = 0; sample.disturbed && thrown < thrown_max; ++thrown)
      sample = measure(batch_);
    if (!sample.disturbed) us.push_back(sample.us);
  }
  return us;
}

}  // namespace alphasparse
