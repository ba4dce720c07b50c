#include "runtime/device/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

constexpr double spread_max = 0.1;  // of 20th to 80th percentile, over the median

std::string given_up_after(const std::string& runs, double ratio) {
  return fmt::format("given up after {}: over {:g} times the best by then", runs, ratio);
}

/// Whether a race is lost by its first samples.
bool is_screened_out(const Samples& samples, const TimingRequest& request, const TimingPlan& plan) {
  if (static_cast<int>(samples.us.size()) != plan.screening_samples || request.incumbent_us == 0)
    return false;
  std::vector<double> sorted = samples.us;
  std::sort(sorted.begin(), sorted.end());
  return quantile(sorted, plan.screening_quantile) > plan.screening_ratio * request.incumbent_us;
}

/// Samples of which too many were disturbed. The shortest of these make up for too few others.
Samples with_thrown(Samples samples, std::vector<double> thrown, const TimingPlan& plan) {
  samples.thrown = fmt::format("{} of {} samples were disturbed", thrown.size(),
                               thrown.size() + samples.us.size());
  samples.disturbed = static_cast<int>(samples.us.size()) < plan.samples_few;
  if (!samples.disturbed) return samples;
  std::sort(thrown.begin(), thrown.end());
  thrown.resize(std::min(thrown.size(), static_cast<std::size_t>(plan.samples_min)));
  samples.us.insert(samples.us.end(), thrown.begin(), thrown.end());
  return samples;
}

}  // namespace

Result<Samples> first_runs(const Measure& measure, const TimingRequest& request,
                           const TimingPlan& plan) {
  const double hopeless_us =
      std::max(plan.give_up_ratio * request.incumbent_us, plan.give_up_us_min);
  double least_us = HUGE_VAL, sum_us = 0;
  int runs = 0, undisturbed = 0;
  const auto is_hopeless = [&] { return request.incumbent_us > 0 && least_us > hopeless_us; };
  const auto is_long = [&] {
    return undisturbed > 0 && (plan.adds_first_runs ? sum_us : least_us) >= long_run_us;
  };
  do {
    const Result<Sample> run = measure(1);
    if (!run) return run.failure();
    least_us = std::min(least_us, run->us);
    sum_us += run->us;
    undisturbed += run->disturbed ? 0 : 1;
    ++runs;
  } while (is_hopeless() && runs < plan.give_up_runs && !is_long());
  Samples samples;
  samples.us = {least_us};
  if (is_hopeless() && undisturbed > 0) {
    samples.given_up =
        given_up_after(fmt::format("{} run{}", runs, runs == 1 ? "" : "s"), plan.give_up_ratio);
  }
  return samples;
}

Result<Batch> grown_batch(const Measure& measure, const TimingPlan& plan) {
  for (Batch batch;;) {
    const Result<Sample> sample = measure(batch.repetitions);
    if (!sample) return sample.failure();
    batch.us = sample->us;
    const double us = batch.us * batch.repetitions;
    if (us >= plan.batch_us_min || batch.repetitions >= plan.batch_max) return batch;
    const double growth = std::clamp(1.1 * plan.batch_us_min / std::max(us, 1e-3), 1.5, 16.0);
    batch.repetitions =
        std::min(plan.batch_max, static_cast<int>(std::ceil(batch.repetitions * growth)));
  }
}

Result<Samples> take_samples(const Measure& measure, int repetitions, const TimingRequest& request,
                             const TimingPlan& plan) {
  const int most = request.samples_max > 0 ? request.samples_max : plan.samples_max;
  Samples samples;
  std::vector<double> thrown;
  const Stopwatch clock;
  double total_us = 0;
  const auto kept = [&] { return static_cast<int>(samples.us.size()); };
  const auto least = [&] {
    return total_us < plan.long_us_min ? plan.samples_min : plan.samples_few;
  };
  while (kept() < most && (kept() < least() || (total_us < plan.total_us_max &&
                                                1e6 * clock.seconds() < plan.wall_us_max))) {
    const Result<Sample> sample = measure(repetitions);
    if (!sample) return sample.failure();
    total_us += sample->us * repetitions;
    (sample->disturbed ? thrown : samples.us).push_back(sample->us);
    if (sample->disturbed &&
        static_cast<double>(thrown.size()) > plan.thrown_ratio * std::max(least(), kept()))
      return with_thrown(std::move(samples), std::move(thrown), plan);
    if (!is_screened_out(samples, request, plan)) continue;
    samples.given_up =
        given_up_after(fmt::format("{} samples", plan.screening_samples), plan.screening_ratio);
    return samples;
  }
  return samples;
}

double quantile(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
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
