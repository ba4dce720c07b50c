// samples: the summary of several measured times of one thing.
#pragma once
#include <vector>

#include "runtime/device/device.h"

namespace alphasparse {

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
