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

void summarise_samples(std::vector<double> us, Timing& timing) {
  std::sort(us.begin(), us.end());
  timing.time_us = quantile(us, 0.5);
  timing.time_us_p20 = quantile(us, 0.2);
  timing.time_us_p80 = quantile(us, 0.8);
  timing.samples = static_cast<int>(us.size());
  timing.noisy = timing.time_us_p80 - timing.time_us_p20 > spread_max * timing.time_us;
}

}  // namespace alphasparse
