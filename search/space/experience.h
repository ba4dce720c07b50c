// experience: the places where the search has been: how many designs began with the same operators,
// and how fast they were. With it growth goes to new places, or to fast ones.
//
// A beginning is the operators of a design's first chain up to some place, without their
// parameters. An operator that may come next has a share of the practitioner's weights. So of the N
// designs that came to this place n = share * N would have gone on with it. Its weight is
// multiplied by sqrt((1 + n) / (1 + those that have)). Where any has been timed, it is also
// multiplied by (fastest that came to the place / fastest that went on with it). An operator that
// was never tried is held to be as fast as the best.
//
// It is the rule that tree searches balance by (prior, visits, value: Rosin, "Multi-armed bandits
// with episode context", 2011; Silver et al. 2016), drawn by lot instead of the greatest taken,
// with the root that keeps a frequent prior frequent.
//
// Example: of 100 designs that begin with `compress`, `block_cols` has a share of 0.02 and has been
// tried by none. Its weight is multiplied by sqrt(3). `thread_rows` with a share of 0.2 was tried
// by 80, and is 3 times as slow at best. Its weight is multiplied by sqrt(21 / 81) / 3.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "operators/canonical_design.h"
#include "runtime/database/measurement.h"

namespace alphasparse {

class Experience {
 public:
  /// Takes in the outcome of a design, from any proposer.
  void learn(const CanonicalDesign& design, const Measurement& outcome);

  /// Changes the weights of the operators that may follow `before`, each named in `next`, in the
  /// same order; 0 stays 0.
  void weigh(const std::vector<Step>& before, const std::vector<std::string_view>& next,
             std::vector<double>& weights) const;

 private:
  struct Tried {
    std::int64_t designs = 0;
    double best_us = 0;  ///< 0: none was timed
  };
  std::map<std::string, Tried, std::less<>> beginnings_;  ///< by their operators
};

}  // namespace alphasparse
