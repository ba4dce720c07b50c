// samples: how often work is measured on any device until its time is known, and the summary of
// the samples.
#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "runtime/device/device.h"

namespace alphasparse {

/// How much is measured. The last group is for races, where the best time so far is known.
struct TimingPlan {
  double batch_us_min;            ///< a warm sample lasts at least this long,
  int batch_max;                  ///< unless this many repetitions do not
  double total_us_max;            ///< samples are taken until they last so long together,
  double wall_us_max = HUGE_VAL;  ///< and so long with the work that makes caches cold,
  int samples_max = 51;           ///< or until there are so many;
  int samples_min = 7;            ///< but so many at least, unless together they last
  double long_us_min = HUGE_VAL;  ///< so long: then
  int samples_few = 3;            ///< are enough
  double thrown_ratio = 3;        ///< samples thrown away, over those that are kept, at most

  double give_up_ratio = 10;    ///< first runs so many times as long are enough,
  double give_up_us_min = 100;  ///< if they are this long: one launch takes some time by itself.
  int give_up_runs;             ///< Short ones run again: others may have had the device meanwhile,
  bool adds_first_runs;         ///< until all together last long_run_us; else until the least does
  int screening_samples = 3;    ///< of so many samples
  double screening_quantile;    ///< this quantile is enough
  double screening_ratio = 1.25;  ///< if it is so many times as long
};

/// Such a run is long enough by itself, and finds little in caches after any other run.
inline constexpr double long_run_us = 50e3;

/// Of one thread or several on a CPU, by its clocks.
inline constexpr TimingPlan cpu_timing = {.batch_us_min = 300,
                                          .batch_max = 4096,
                                          .total_us_max = 100e3,
                                          .wall_us_max = 500e3,
                                          .long_us_min = 1e6,
                                          .give_up_runs = 5,
                                          .adds_first_runs = true,
                                          .screening_quantile = 0.5};

/// Between events on a GPU.
inline constexpr TimingPlan gpu_timing = {.batch_us_min = 1000,
                                          .batch_max = 512,
                                          .total_us_max = 200e3,
                                          .give_up_runs = 3,
                                          .adds_first_runs = false,
                                          .screening_quantile = 0};

struct Sample {
  double us = 0;  ///< of one repetition
  bool disturbed = false;
};

/// Measures so many repetitions in a row.
using Measure = std::function<Result<Sample>(int repetitions)>;

struct Samples {
  std::vector<double> us;
  std::string given_up;    ///< why there are no more; empty: there are enough
  std::string thrown;      ///< "9 of 12 samples were disturbed", where those were too many
  bool disturbed = false;  ///< so that hardly any are left, and thrown ones stand among them
};

/// The least of the first runs. There are several of work that seems hopeless, and it is given up
/// where all of them say so.
Result<Samples> first_runs(const Measure& measure, const TimingRequest& request,
                           const TimingPlan& plan);

struct Batch {
  int repetitions = 1;
  double us = 0;  ///< of one of them
};

/// Repetitions that last batch_us_min together. One alone mostly shows how long a launch takes, so
/// the batch grows by at most 16 at a time until it lasts.
Result<Batch> grown_batch(const Measure& measure, const TimingPlan& plan);

/// Samples of so many repetitions, until there are enough or the race is lost.
Result<Samples> take_samples(const Measure& measure, int repetitions, const TimingRequest& request,
                             const TimingPlan& plan);

/// Sorted samples' quantile, 0 <= share <= 1, interpolated between neighbours; samples not empty.
double quantile(const std::vector<double>& sorted, double share);

/// Half of a mean's 95 % interval over its standard error, where its spread is known from the
/// samples alone: Student's t of `degrees` of freedom, at least 1 - one less than there are
/// samples.
double student_deviations(int degrees);

/// Sets time, percentiles and number of samples from at least one sample in us; noisy where the
/// 20th and the 80th percentile lie more than a tenth of the median apart.
void summarise_samples(std::vector<double> us, Timing& timing);

}  // namespace alphasparse
