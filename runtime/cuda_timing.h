// cuda_timing: how long a GPU takes for work that is queued on a stream, by events around it.
//
// Warm: the work is repeated back to back in batches long enough for the clock, as in a solver's
// loop. Cold: before each sample a buffer of twice the L2 cache is written; that is queued work
// too, so the host has launched the sample before the GPU gets to it. Reported are median, 20th and
// 80th percentile over the samples.
#pragma once
#include <functional>
#include <vector>

#include "runtime/cuda_session.h"
#include "runtime/device.h"

namespace alphasparse {

/// How much is measured.
struct TimingPlan {
  double batch_us_min = 1000;   ///< a warm batch lasts at least this long,
  int batch_max = 4096;         ///< unless this many repetitions do not
  int samples_min = 7;          ///< taken however long they last
  int samples_max = 51;         ///< taken where they fit into:
  double total_us_max = 200e3;  ///< time between events, all samples together
};

/// Sorted samples' quantile, 0 <= share <= 1, interpolated between neighbours; samples not empty.
double quantile(const std::vector<double>& sorted, double share);

/// Times `queue`, which queues the work once on the session's stream. The work must have run
/// before: it is the warm-up. Sets the Timing's times and `samples`.
Result<Timing> time_work(CudaSession& session, const std::function<Fault()>& queue,
                         CacheRegime regime, const TimingPlan& plan = {});

}  // namespace alphasparse
