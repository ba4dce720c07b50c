// likeness: how alike matrices look, by their features.
//
// The distance of two matrices is the root of the mean square of the differences of their features
// (matrix_feature_numbers). Each difference is divided by the standard deviation of the feature
// over known matrices, and is at most 3.
#pragma once
#include <vector>

#include "search/learning/features.h"

namespace alphasparse {

class Likeness {
 public:
  /// The deviations are those over `asked` and the `known` matrices.
  Likeness(const Features& query, const std::vector<const Features*>& known);

  double distance(const Features& other) const;

 private:
  std::vector<float> query_;
  std::vector<double> deviations_;
};

}  // namespace alphasparse
