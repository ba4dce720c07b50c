// shipped_start: the part of the shipped experience that may help with one matrix.
//
// The matrices that look most alike correct the times that the prior expects (similar_times.h), and
// the designs that were fast on one of them are candidates. The user's own matrices correct the
// result: so they outweigh the shipped ones, the more the nearer and the more numerous they are.
#pragma once
#include "search/experience/shipped_experience.h"
#include "search/strategies/warm_start.h"

namespace alphasparse {

struct ShippedStartOptions {
  /// The matrices of this pattern (Fingerprints::pattern), and all of their origin, do not count.
  std::string pattern_left_out = {};
  std::size_t nearest = 8;    ///< matrices that count
  double weight = 30;         ///< of one at distance 0
  double fall = 6;            ///< of the weight with distance: the exponent
  double fast = 1.15;         ///< of the best time there: such designs are candidates
  std::size_t fast_each = 3;  ///< of them, of one matrix
};

/// Adds it to a warm start of the same matrix, which has these features.
void add_shipped(WarmStart& warm, const ShippedExperience& experience, const Features& features,
                 const ShippedStartOptions& options = {});

}  // namespace alphasparse
