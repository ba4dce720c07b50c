// row_lengths: how long each row is, so that the mean, the standard deviation and the longest row
// are those asked for.
//
// One family of distributions serves all: the lognormal with a shift, cut at the shortest row. By
// its shape it has a long tail, is normal, or is nearly constant with some short rows. Rows take
// its quantiles, one each, so nothing is left to chance but which row takes which.
#pragma once
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/result.h"

namespace alphasparse::synthetic {

struct LengthRequest {
  std::int64_t rows = 1;  ///< >= 1
  double mean = 1;        ///< in [least, most]
  double std = 0;         ///< >= 0
  std::int64_t least = 0;
  std::int64_t most = 1;  ///< the longest row
};

/// Lengths that ascend, by ones up and down apart, or why there are none.
Result<std::vector<std::int32_t>> ascending_lengths(const LengthRequest& request);

/// The same with giants set apart, so that they leave the many rows alone: lengths that fall by one
/// ratio from the longest give the deviation, those below are of moderate length. Fails where no
/// giants give it.
Result<std::vector<std::int32_t>> lengths_with_giants(const LengthRequest& request);

/// The lengths by row: neighbours in rank stay together in stretches of `stretch` rows; giants (32
/// times the mean or more), where they are few, stand alone.
std::vector<std::int32_t> shuffled_lengths(const std::vector<std::int32_t>& ascending,
                                           std::int64_t stretch, Random& random);

}  // namespace alphasparse::synthetic
