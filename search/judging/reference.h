// reference: one kernel that is timed again and again while others are recorded, so that a machine
// which is faster or slower than before ranks no design.
//
// A recording takes hours, and a measured device drifts meanwhile. So what is recorded is each time
// over the reference's from shortly before its batch of designs, times the reference's own in the
// recording: as if all had been measured when that was. What slows one kernel more than another is
// not taken out.
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
  /// `time_now_us` times the reference; nothing where that fails. It is not asked again before
  /// `seconds` have passed.
  Reference(std::function<std::optional<double>()> time_now_us, double seconds = 2);

  /// What times measured now are multiplied by, where the reference is recorded with `recorded_us`;
  /// 1 where one of them is not known.
  double factor(double recorded_us);

 private:
  std::function<std::optional<double>()> time_now_us_;
  double seconds_;
  std::optional<Stopwatch> since_;
  std::optional<double> now_us_;
};

/// Multiplies all times of a measurement, and says so in its note.
void normalise(Measurement& outcome, double factor);

}  // namespace alphasparse
