// timing: how long this machine takes for work that its threads do (README.md beside this file).
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/device/samples.h"

namespace alphasparse {

/// Empties the caches and the branch predictors, as far as a program can. It reads twice the size
/// of the last cache; that memory is there from its first use on. Servers' caches hold hundreds of
/// megabytes.
class CacheFlush {
 public:
  explicit CacheFlush(std::int64_t cache_bytes);
  void operator()();

 private:
  std::size_t words_;
  std::vector<std::uint64_t> read_;
  std::uint64_t state_ = 1;
};

/// Samples of work that one thread, or a team that it leads, does.
class CpuSampler {
 public:
  /// `work` is done by the calling thread and `threads` - 1 others.
  CpuSampler(std::function<void()> work, int threads, CacheRegime regime, CacheFlush& flush)
      : work_(std::move(work)), threads_(threads), regime_(regime), flush_(flush) {}

  /// A time that `request` has no use for is not measured to the end; its note says so.
  Timing time(const TimingRequest& request, const TimingPlan& plan = cpu_timing);

  /// `count` more samples in us, without those that were disturbed again and again, after runs that
  /// are not counted unless they are so long that they find little in caches.
  std::vector<double> sample(int count);

 private:
  Sample measure(int repetitions);
  void warm_up();

  std::function<void()> work_;
  int threads_;
  CacheRegime regime_;
  CacheFlush& flush_;
  int batch_ = 1;
  double run_us_ = 0;  ///< of the first run
};

/// "processor time" of one thread, "wall clock" of several.
const char* clock_name(int threads);

}  // namespace alphasparse
