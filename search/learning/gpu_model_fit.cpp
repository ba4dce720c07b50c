#include "search/learning/gpu_model_fit.h"

#include <algorithm>
#include <cmath>

#include "base/result.h"
#include "search/learning/minimise.h"

namespace alphasparse {

namespace {

constexpr double pull_to_assumed = 1e-4;  // the square of 1 %
constexpr double nudge = 0.1;             // of a range
constexpr double moved_factor = 1.01;

std::size_t share_index(const Comparison& comparison, double l1_share) {
  const auto& shares = comparison.l1_shares;
  const auto found = std::find(shares.begin(), shares.end(), l1_share);
  CHECK(found != shares.end());
  return static_cast<std::size_t>(found - shares.begin());
}

double time_us(const GpuModel& gpu, const std::vector<LaunchWork>& works,
               const ModelConstants& constants) {
  double us = 0;
  for (const LaunchWork& work : works) us += launch_time_us(gpu, work, constants);
  return us;
}

/// Where in its range a value lies, in [0, 1], and back.
double place_of(const ConstantRange& range, double value) {
  if (range.by_factors) return std::log(value / range.low) / std::log(range.high / range.low);
  return (value - range.low) / (range.high - range.low);
}

double value_at(const ConstantRange& range, double place) {
  if (range.by_factors) return range.low * std::pow(range.high / range.low, place);
  return range.low + place * (range.high - range.low);
}

Point places_of(const ModelConstants& constants) {
  Point places;
  for (const ConstantRange& range : constant_ranges())
    places.push_back(place_of(range, constants.*range.member));
  return places;
}

ModelConstants constants_at(std::span<const double> places, double l1_share) {
  ModelConstants constants;
  for (std::size_t i = 0; i < places.size(); ++i)
    constants.*constant_ranges()[i].member = value_at(constant_ranges()[i], places[i]);
  constants.l1_share = l1_share;
  return constants;
}

/// Measured times and works of one share, without the matrix left out.
class FitProblem {
 public:
  FitProblem(const Comparison& comparison, double l1_share, std::optional<std::size_t> left_out)
      : gpu_(comparison.gpu) {
    const std::size_t share = share_index(comparison, l1_share);
    for (const ComparedDesign& design : comparison.designs) {
      if (design.matrix != left_out) timed_.push_back({&design.works[share], design.measured_us});
    }
    CHECK(!timed_.empty());
  }

  /// Mean squared log(modelled / measured).
  double operator()(const ModelConstants& constants) const {
    double squares = 0;
    for (const Timed& timed : timed_) {
      const double error = std::log(time_us(gpu_, *timed.works, constants) / timed.measured_us);
      squares += error * error;
    }
    return squares / static_cast<double>(timed_.size());
  }

 private:
  struct Timed {
    const std::vector<LaunchWork>* works;
    double measured_us;
  };
  const GpuModel& gpu_;
  std::vector<Timed> timed_;
};

/// What leaving the assumed constants costs.
double pull_of(std::span<const double> places, double l1_share) {
  static const Point assumed = places_of({});
  const double off = l1_share - ModelConstants().l1_share;
  double pull = off * off;
  for (std::size_t i = 0; i < places.size(); ++i)
    pull += (places[i] - assumed[i]) * (places[i] - assumed[i]);
  return pull_to_assumed * pull;
}

struct LeastConstants {
  ModelConstants constants;
  double value;
};

LeastConstants least_of(const std::function<double(const ModelConstants&)>& squares,
                        double l1_share) {
  const auto pulled = [&](std::span<const double> places) {
    return squares(constants_at(places, l1_share)) + pull_of(places, l1_share);
  };
  const Minimum found = minimise(pulled, places_of({}));
  return {constants_at(found.point, l1_share), found.value};
}

bool moves(double before_us, double after_us) {
  return std::max(before_us / after_us, after_us / before_us) > moved_factor;
}

}  // namespace

const std::vector<ConstantRange>& constant_ranges() {
  using Constants = ModelConstants;
  static const std::vector<ConstantRange> ranges = {
      {"launch_scale", &Constants::launch_scale, 0.25, 4, true, "of the table's launch floor"},
      {"dram_efficiency", &Constants::dram_efficiency, 0.25, 1, true, "of the peak bandwidth"},
      {"l2_efficiency", &Constants::l2_efficiency, 0.2, 3, true, "of the table's L2 bandwidth"},
      {"instructions_scale", &Constants::instructions_scale, 0.1, 10, true,
       "of the table's instructions a basic block"},
      {"atomic_pass_ns", &Constants::atomic_pass_ns, 0.002, 0.5, true, "of a pass of atomics"},
      {"atomic_line_ns", &Constants::atomic_line_ns, 0.1, 20, true, "between two on one line"},
      {"longest_scale", &Constants::longest_scale, 0.05, 4, true, "of the longest warp's waits"},
      {"queued_scale", &Constants::queued_scale, 0.05, 4, true, "of the waits of all warps"},
      {"tail", &Constants::tail, 0, 1, false, "of the busiest multiprocessor's surplus"},
  };
  return ranges;
}

std::vector<double> modelled_times_us(const Comparison& comparison,
                                      const ModelConstants& constants) {
  const std::size_t share = share_index(comparison, constants.l1_share);
  std::vector<double> times;
  for (const ComparedDesign& design : comparison.designs)
    times.push_back(time_us(comparison.gpu, design.works[share], constants));
  return times;
}

ModelConstants least_constants(const std::function<double(const ModelConstants&)>& squares,
                               double l1_share) {
  return least_of(squares, l1_share).constants;
}

ModelConstants fit_constants(const Comparison& comparison,
                             std::optional<std::size_t> matrix_left_out) {
  LeastConstants best{{}, INFINITY};
  for (const double share : comparison.l1_shares) {
    const LeastConstants found = least_of(FitProblem(comparison, share, matrix_left_out), share);
    if (found.value < best.value) best = found;
  }
  return best.constants;
}

std::vector<double> held_out_times_us(const Comparison& comparison) {
  std::vector<double> times(comparison.designs.size());
  for (std::size_t matrix = 0; matrix < comparison.matrices.size(); ++matrix) {
    const auto is_of_it = [matrix](const ComparedDesign& design) {
      return design.matrix == matrix;
    };
    if (std::none_of(comparison.designs.begin(), comparison.designs.end(), is_of_it)) continue;
    const std::vector<double> all =
        modelled_times_us(comparison, fit_constants(comparison, matrix));
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (is_of_it(comparison.designs[i])) times[i] = all[i];
    }
  }
  return times;
}

std::int64_t times_moved(const Comparison& comparison, const ModelConstants& constants,
                         const ConstantRange* range) {
  std::vector<ModelConstants> others;
  if (range) {
    for (const double step : {-nudge, nudge}) {
      const double place = place_of(*range, constants.*range->member) + step;
      others.emplace_back(constants).*range->member = value_at(*range, std::clamp(place, 0.0, 1.0));
    }
  } else {
    for (const double share : comparison.l1_shares) others.emplace_back(constants).l1_share = share;
  }
  const std::vector<double> before = modelled_times_us(comparison, constants);
  std::vector<bool> moved(before.size());
  for (const ModelConstants& other : others) {
    const std::vector<double> after = modelled_times_us(comparison, other);
    for (std::size_t i = 0; i < before.size(); ++i)
      moved[i] = moved[i] || moves(before[i], after[i]);
  }
  return std::count(moved.begin(), moved.end(), true);
}

}  // namespace alphasparse
