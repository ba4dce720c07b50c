// reference: one kernel that is timed again and again while others are recorded. So a machine that
// is faster or slower than before ranks no design.
//
// A recording takes hours, and a measured device drifts in that time. So each time is recorded as a
// ratio: it is divided by the reference's time from shortly before its batch of designs. The ratio
// is multiplied by the reference's own time in the recording. So all times are as if they had been
// measured together with that one. Other load slows one kernel more than another, and no factor
// removes that. While the reference is slow a batch waits. Where the reference has moved during a
// batch, the batch is to be tried again.
//
// Example: the reference took 100 us when it was recorded, and takes 110 us now. A design that
// takes 55 us now is recorded with 50.
#pragma once
#include <functional>
#include <optional>

#include "runtime/database/measurement.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

class Reference {
 public:
  struct Options {
    double wait_seconds = 120;     ///< waited for quiet in all, then no more
    double fresh_seconds = 2;      ///< the reference is not asked again before
    double pause_seconds = 0.5;    ///< from one question to the next while waiting
    double settling_seconds = 30;  ///< of the wait, to find the least time
  };

  /// `time_now_us` times the reference; nothing where that fails, or where it is to end.
  Reference(std::function<std::optional<double>()> time_now_us, const Options& options);
  Reference(std::function<std::optional<double>()> time_now_us, double wait_seconds);

  /// Whether a time is over 10 % more than another one.
  static bool is_slow(double us, double quiet_us);

  /// Asks again and again; the least time, nothing where none is known.
  std::optional<double> least_us();

  /// The factor for times measured now, where the reference is recorded with `recorded_us`; 1 where
  /// one of the two is not known. Waits while the reference is slow, as far as wait_seconds allows.
  double factor(double recorded_us);

  /// Asks once more: whether it takes over 10 % more or less than it did for the last factor.
  bool has_moved();

 private:
  void ask();
  void pause() const;

  std::function<std::optional<double>()> time_now_us_;
  Options options_;
  std::optional<Stopwatch> since_;
  std::optional<double> now_us_;
  double waited_seconds_ = 0;
};

/// Multiplies all times of a measurement, and says so in its note.
void normalise(Measurement& outcome, double factor);

}  // namespace alphasparse
