// timing: how long this machine takes for work that its threads do (README.md beside this file).
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/device/device.h"

namespace alphasparse {

/// How much is measured.
struct CpuTimingPlan {
  double batch_us_min = 300;    ///< a warm sample lasts at least this long,
  int batch_max = 4096;         ///< unless this many repetitions do not
  int samples_min = 7;          ///< taken unless all together last for
  double long_us_min = 1e6;     ///< so long: then
  int samples_few = 3;          ///< are enough
  int samples_max = 51;         ///< taken where they fit into:
  double total_us_max = 100e3;  ///< all samples together,
  double wall_us_max = 500e3;   ///< and with the work that makes caches cold
  double thrown_ratio = 3;      ///< samples thrown away, over those that are kept, at most

  // Racing, where the best time so far is known:
  double give_up_ratio = 10;      ///< first runs so many times as long are enough,
  double give_up_us_min = 100;    ///< if they are this long:
  int give_up_runs = 5;           ///< so many of them at most: one may have waited for a core
  int screening_samples = 3;      ///< after so many samples
  double screening_ratio = 1.25;  ///< a median so many times as long is enough
};

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
  Timing time(const TimingRequest& request, const CpuTimingPlan& plan = {});

  /// `count` more samples in us, without those that were disturbed again and again, after runs that
  /// are not counted unless they are so long that they find little in caches.
  std::vector<double> sample(int count);

 private:
  struct Sample {
    double us = 0;
    bool disturbed = false;
  };

  Sample measure(int repetitions);
  void warm_up();
  void choose_batch(const CpuTimingPlan& plan);
  std::vector<double> take(const TimingRequest& request, const CpuTimingPlan& plan, Timing& timing);

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
