// minimise: the least value of a function over the unit cube, without derivatives.
//
// Made for sums of squares over the longest of several terms: such functions have kinks, flat
// stretches where a coordinate decides nothing, and few coordinates. Each coordinate in turn is
// scanned over its whole range and then narrowed by golden sections, which finds a valley from
// wherever it starts; Nelder and Mead's simplex ("A simplex method for function minimization", The
// Computer Journal 7, 1965) then follows valleys that lie askew, and both are repeated while they
// gain.
#pragma once
#include <functional>
#include <span>
#include <vector>

namespace alphasparse {

using Point = std::vector<double>;

struct Minimum {
  Point point;  ///< every coordinate in [0, 1]
  double value = 0;
};

/// From `start`, never worse than that. `function` is asked inside the cube only and gives finite
/// values. The same every time.
Minimum minimise(const std::function<double(std::span<const double>)>& function, Point start);

}  // namespace alphasparse
