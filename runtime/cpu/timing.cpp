#include "runtime/cpu/timing.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "runtime/device/samples.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

constexpr double waited_share_max = 0.1;  // of a sample, that several threads waited for a core
constexpr double lost_share_max = 0.02;   // of a sample, that interruptions may have taken:
constexpr double interruption_seconds = 1e-4;  // to fill caches again after another process,
constexpr double tick_seconds = 1e-2;          // and stolen time is told in ticks
constexpr double long_run_us = 50e3;  // such a run finds little in caches, after any other run

double seconds_of(clockid_t clock) {
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
  std::string word;
  long value = 0;
  file >> word;
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

double median_of(std::vector<double> us) {
  std::sort(us.begin(), us.end());
  return quantile(us, 0.5);
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

CpuSampler::Sample CpuSampler::measure(int repetitions) {
  if (regime_ == CacheRegime::cold) flush_();
  const clockid_t clock = threads_ == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  const long interrupted = interruptions(), stolen = stolen_ticks();
  const double waited = threads_ > 1 ? seconds_waited() : 0, start = seconds_of(clock);
  for (int repetition = 0; repetition < repetitions; ++repetition) work_();
  const double seconds = seconds_of(clock) - start;
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

void CpuSampler::choose_batch(const CpuTimingPlan& plan) {
  batch_ = 1;
  if (regime_ == CacheRegime::cold) return;
  for (;;) {
    const double us = measure(batch_).us * batch_;
    if (us >= plan.batch_us_min || batch_ >= plan.batch_max) return;
    const double growth = std::clamp(1.1 * plan.batch_us_min / std::max(us, 1e-3), 1.5, 16.0);
    batch_ = std::min(plan.batch_max, static_cast<int>(std::ceil(batch_ * growth)));
  }
}

/// Samples that nothing disturbed; where there are hardly any, the shortest of the others too: then
/// the timing is disturbed.
std::vector<double> CpuSampler::take(const TimingRequest& request, const CpuTimingPlan& plan,
                                     Timing& timing) {
  const int most = request.samples_max > 0 ? request.samples_max : plan.samples_max;
  const double screening_us = request.incumbent_us * plan.screening_ratio;
  std::vector<double> kept, thrown;
  const Stopwatch clock;
  double total_us = 0;
  const auto least = [&] {
    return total_us < plan.long_us_min ? plan.samples_min : plan.samples_few;
  };
  while (static_cast<int>(kept.size()) < most &&
         (static_cast<int>(kept.size()) < least() ||
          (total_us < plan.total_us_max && 1e6 * clock.seconds() < plan.wall_us_max))) {
    const Sample sample = measure(batch_);
    total_us += sample.us * batch_;
    (sample.disturbed ? thrown : kept).push_back(sample.us);
    const double thrown_max = plan.thrown_ratio * std::max<double>(least(), kept.size());
    if (sample.disturbed && static_cast<double>(thrown.size()) > thrown_max) {
      timing.noisy = true;
      add_note(timing, fmt::format("{} of {} samples were disturbed", thrown.size(),
                                   thrown.size() + kept.size()));
      if (static_cast<int>(kept.size()) >= plan.samples_few) return kept;
      timing.disturbed = true;
      std::sort(thrown.begin(), thrown.end());
      kept.insert(kept.end(), thrown.begin(),
                  thrown.begin() + std::min<std::ptrdiff_t>(thrown.size(), plan.samples_min));
      return kept;
    }
    if (static_cast<int>(kept.size()) != plan.screening_samples || screening_us == 0) continue;
    if (median_of(kept) <= screening_us) continue;
    add_note(timing, fmt::format("given up after {} samples: over {:g} times the best by then",
                                 plan.screening_samples, plan.screening_ratio));
    return kept;
  }
  return kept;
}

Timing CpuSampler::time(const TimingRequest& request, const CpuTimingPlan& plan) {
  Timing timing;
  const double hopeless_us =
      std::max(plan.give_up_ratio * request.incumbent_us, plan.give_up_us_min);
  const auto is_hopeless = [&](double us) { return request.incumbent_us > 0 && us > hopeless_us; };
  int runs = 0, undisturbed = 0;
  double spent_us = 0;
  do {
    const Sample run = measure(1);
    run_us_ = runs == 0 ? run.us : std::min(run_us_, run.us);
    spent_us += run.us;
    undisturbed += run.disturbed ? 0 : 1;
    ++runs;
  } while (is_hopeless(run_us_) && runs < plan.give_up_runs &&
           (spent_us < long_run_us || undisturbed == 0));
  if (is_hopeless(run_us_) && undisturbed > 0) {
    add_note(timing, fmt::format("given up after {} run{}: over {:g} times the best by then", runs,
                                 runs == 1 ? "" : "s", plan.give_up_ratio));
    summarise_samples({run_us_}, timing);
    return timing;
  }
  choose_batch(plan);
  const std::vector<double> us = take(request, plan, timing);
  const bool disturbed = timing.noisy;
  summarise_samples(us, timing);
  timing.noisy = timing.noisy || disturbed;
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
