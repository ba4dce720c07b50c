#include "search/learning/minimise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace alphasparse {

namespace {

using Function = std::function<double(std::span<const double>)>;

constexpr int scan_steps = 24;    // of a coordinate's range
constexpr int golden_steps = 20;  // narrow two steps of the scan to 6e-6 of the range
constexpr int sweeps_max = 30;
constexpr int rounds_max = 12;
constexpr double gain_least = 1e-5;  // of the value: less ends a search
constexpr double simplex_edge = 0.05;

/// Takes the point where its value is less.
void take_better(Minimum& best, const Point& point, double value) {
  if (value < best.value) best = {point, value};
}

/// Golden sections of [low, high] of one coordinate.
void narrow(const Function& function, std::size_t coordinate, double low, double high,
            Minimum& best) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  Point point = best.point;
  const auto value_at = [&](double place) {
    point[coordinate] = place;
    const double value = function(point);
    take_better(best, point, value);
    return value;
  };
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = value_at(left), at_right = value_at(right);
  for (int step = 0; step < golden_steps; ++step) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = value_at(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = value_at(right);
    }
  }
}

/// The whole range of one coordinate, then around the best place of it.
void search_along(const Function& function, std::size_t coordinate, Minimum& best) {
  Point point = best.point;
  for (int step = 0; step <= scan_steps; ++step) {
    point[coordinate] = static_cast<double>(step) / scan_steps;
    take_better(best, point, function(point));
  }
  const double at = best.point[coordinate];
  narrow(function, coordinate, std::max(0.0, at - 1.0 / scan_steps),
         std::min(1.0, at + 1.0 / scan_steps), best);
}

bool gained(double before, double after) { return before - after > gain_least * before; }

void sweep(const Function& function, Minimum& best) {
  for (int count = 0; count < sweeps_max; ++count) {
    const double before = best.value;
    for (std::size_t coordinate = 0; coordinate < best.point.size(); ++coordinate)
      search_along(function, coordinate, best);
    if (!gained(before, best.value)) return;
  }
}

/// `centre` + `factor` * (`centre` - `worst`), held inside the cube.
Point beyond(const Point& centre, const Point& worst, double factor) {
  Point point(centre.size());
  for (std::size_t i = 0; i < point.size(); ++i)
    point[i] = std::clamp(centre[i] + factor * (centre[i] - worst[i]), 0.0, 1.0);
  return point;
}

/// The best corner of a simplex around the best point, which is a corner too.
class Simplex {
 public:
  Simplex(const Function& function, const Minimum& start) : function_(function) {
    corners_.push_back(start);
    for (std::size_t i = 0; i < start.point.size(); ++i) {
      Point point = start.point;
      point[i] += point[i] > 0.5 ? -simplex_edge : simplex_edge;
      corners_.push_back(at(point));
    }
  }

  Minimum run() {
    const std::size_t steps = 150 * corners_.size();
    for (std::size_t step = 0; step < steps; ++step) {
      std::stable_sort(corners_.begin(), corners_.end(),
                       [](const Minimum& a, const Minimum& b) { return a.value < b.value; });
      if (corners_.back().value - corners_.front().value <= 1e-12 * corners_.front().value) break;
      replace_worst();
    }
    return *std::min_element(corners_.begin(), corners_.end(),
                             [](const Minimum& a, const Minimum& b) { return a.value < b.value; });
  }

 private:
  Minimum at(const Point& point) const { return {point, function_(point)}; }

  Point centre_of_others() const {
    Point centre(corners_.front().point.size(), 0);
    for (std::size_t corner = 0; corner + 1 < corners_.size(); ++corner) {
      for (std::size_t i = 0; i < centre.size(); ++i)
        centre[i] += corners_[corner].point[i] / static_cast<double>(corners_.size() - 1);
    }
    return centre;
  }

  void replace_worst() {
    Minimum& worst = corners_.back();
    const Point centre = centre_of_others();
    const Minimum reflected = at(beyond(centre, worst.point, 1));
    if (reflected.value < corners_.front().value) {
      const Minimum expanded = at(beyond(centre, worst.point, 2));
      worst = expanded.value < reflected.value ? expanded : reflected;
      return;
    }
    if (reflected.value < corners_[corners_.size() - 2].value) {
      worst = reflected;
      return;
    }
    const Minimum contracted =
        at(beyond(centre, worst.point, reflected.value < worst.value ? 0.5 : -0.5));
    if (contracted.value < std::min(worst.value, reflected.value)) {
      worst = contracted;
      return;
    }
    for (std::size_t corner = 1; corner < corners_.size(); ++corner)
      corners_[corner] = at(beyond(corners_.front().point, corners_[corner].point, -0.5));
  }

  const Function& function_;
  std::vector<Minimum> corners_;
};

}  // namespace

Minimum minimise(const Function& function, Point start) {
  Minimum best{start, function(start)};
  if (start.empty()) return best;
  for (int round = 0; round < rounds_max; ++round) {
    const double before = best.value;
    sweep(function, best);
    const Minimum followed = Simplex(function, best).run();
    take_better(best, followed.point, followed.value);
    if (!gained(before, best.value)) break;
  }
  return best;
}

}  // namespace alphasparse
