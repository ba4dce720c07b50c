#include "runtime/device/samples.h"

#include <algorithm>
#include <cmath>

namespace alphasparse {

namespace {

constexpr double spread_max = 0.1;  // of 20th to 80th percentile, over the median

}  // namespace

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

double student_deviations(int degrees) {
  static constexpr double few[] = {12.7062, 4.30265, 3.18245, 2.77645,
                                   2.57058, 2.44691, 2.36462, 2.30600};
  if (degrees <= 8) return few[degrees - 1];
  // Towards the normal distribution's: Abramowitz and Stegun, Handbook of Mathematical Functions,
  // 26.7.5; right to 2e-4 from 9 degrees on.
  const double z = 1.959964, z2 = z * z, n = degrees;
  return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
              (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

void summarise_samples(std::vector<double> us, Timing& timing) {
  std::sort(us.begin(), us.end());
  timing.time_us_min = us.front();
  timing.time_us = quantile(us, 0.5);
  timing.time_us_p20 = quantile(us, 0.2);
  timing.time_us_p80 = quantile(us, 0.8);
  timing.samples = static_cast<int>(us.size());
  timing.noisy = timing.time_us_p80 - timing.time_us_p20 > spread_max * timing.time_us;
}

}  // namespace alphasparse
