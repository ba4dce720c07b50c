// refinements: the passes of a fast design, with rounded values only where a search may round.
#include "search/strategies/refinements.h"

#include <gtest/gtest.h>

#include "operators/named_designs.h"
#include "search/strategies/strategies.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

/// Whether some of the first proposals of a search stores rounded values. The times fall with each
/// proposal.
bool rounds(bool may_round, Target target, int rounds_most) {
  const Matrix matrix = battery_matrix("power_law");
  StrategiesOptions options;
  options.dtype = Dtype::f64;
  options.is_measured = true;
  options.target = target;
  options.may_round = may_round;
  Strategies strategies(matrix, canonical_named_designs(target), options);
  Outcomes outcomes;
  bool found = false;
  double time_us = 1000;
  for (int round = 0; round < rounds_most && !found; ++round) {
    for (const CanonicalDesign& design : strategies.portfolio().propose(outcomes, 8)) {
      found = found || design.text().find("values=rounded") != std::string::npos;
      Measurement outcome;
      outcome.design = design.text();
      outcome.verified = true;
      outcome.timing.emplace().time_us = time_us -= 1;
      outcomes.emplace(design.text(), outcome);
      strategies.learn(design, outcome);
    }
  }
  return found;
}

TEST(Refinements, RoundValuesOnlyWhereASearchMay) {
  for (const Target target : {Target::cuda, Target::cpu}) {
    EXPECT_TRUE(rounds(true, target, 200));
    EXPECT_FALSE(rounds(false, target, 12));
  }
}

}  // namespace
}  // namespace alphasparse
