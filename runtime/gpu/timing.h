// timing: how long a GPU takes for work that is queued on a stream, by events around it.
//
// Warm: the work is repeated back to back for at least a millisecond, as in a solver's loop, as one
// graph of so many repetitions. So the host's part of a launch is not in the time of a short
// kernel. Ahead of the first event the L2 cache is emptied (GpuSession::empty_cache), and then the
// same graph is queued, untimed: so a sample does not depend on the kernels before it. Cold: before
// each sample a buffer of twice the L2 cache is written, and another one read, so that no dirty
// line is left to be written back inside the sample. That is queued work too. So the host has
// launched the sample before the GPU gets to it. Reported are median, 20th and 80th percentile over
// the samples, the clock at which they were taken, and whether they lie far apart. A time is
// disturbed where most of its samples are: such a time is no fact about the kernel.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "runtime/device/samples.h"
#include "runtime/gpu/graph.h"
#include "runtime/gpu/session.h"

namespace alphasparse {

/// Samples of one piece of work. Must not outlive its session.
class WorkSampler {
 public:
  /// `queue` queues the work once on the session's stream. It must have run before: that is the
  /// warm-up.
  WorkSampler(GpuSession& session, std::function<MaybeFailure()> queue, CacheRegime regime);
  ~WorkSampler();
  WorkSampler(const WorkSampler&) = delete;
  WorkSampler& operator=(const WorkSampler&) = delete;

  /// Finds out how it is to be repeated, and times it. A time that `request` has no use for is not
  /// measured to the end; its note says so.
  Result<Timing> time(const TimingRequest& request, const TimingPlan& plan = gpu_timing);

  /// `count` more samples in us, after a run that is not counted; fewer where some stay disturbed.
  Result<std::vector<double>> sample(int count);

 private:
  MaybeFailure prepare_events();
  MaybeFailure choose_batch(const TimingPlan& plan);
  MaybeFailure record(GpuEvent event);
  MaybeFailure queue_ahead(const std::function<MaybeFailure()>& ahead);
  Result<Sample> measure(int repetitions, const std::function<MaybeFailure()>& queue,
                         const std::function<MaybeFailure()>& ahead);
  Result<Sample> measure_plain(int repetitions, const std::function<MaybeFailure()>& ahead = {});
  Result<Sample> measure_sample();
  Result<Sample> measure_undisturbed();
  Result<Timing> take(const TimingRequest& request, const TimingPlan& plan);
  Timing make_timing(const Samples& samples, const GpuState& state) const;

  GpuSession& session_;
  std::function<MaybeFailure()> queue_;
  CacheRegime regime_;
  GpuEvent first_ = nullptr;
  GpuEvent last_ = nullptr;
  int batch_ = 1;
  double least_in_turn_us_ = 0;  ///< of sample() since the last time(); 0: there is none
  GpuGraph graph_;               ///< of a batch, where there is one
  std::string batch_note_;       ///< how a sample was taken
};

}  // namespace alphasparse
