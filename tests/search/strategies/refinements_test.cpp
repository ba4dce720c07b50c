// refinements: the passes of a fast design, with rounded values only where a search may round, and
// wide loads only where it measures.
#include "search/strategies/refinements.h"

#include <gtest/gtest.h>

#include "operators/named_designs.h"
#include "search/strategies/strategies.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

/// Whether one of the first proposals of a search has the text. The times fall with each proposal.
bool proposes(const std::string& text, const StrategiesOptions& options, int rounds_most) {
  const Matrix matrix = battery_matrix("power_law");
  Strategies strategies(matrix, canonical_named_designs(options.target), options);
  Outcomes outcomes;
  bool found = false;
  double time_us = 1000;
  for (int round = 0; round < rounds_most && !found; ++round) {
    for (const CanonicalDesign& design : strategies.portfolio().propose(outcomes, 8)) {
      found = found || design.text().find(text) != std::string::npos;
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
  StrategiesOptions options;
  options.dtype = Dtype::f64;
  options.is_measured = true;
  for (const Target target : {Target::gpu, Target::cpu}) {
    options.target = target;
    options.may_round = true;
    EXPECT_TRUE(proposes("values=rounded", options, 200));
    options.may_round = false;
    EXPECT_FALSE(proposes("values=rounded", options, 12));
  }
}

TEST(Refinements, LoadSeveralEntriesAtOnceOnlyWhereASearchMeasures) {
  StrategiesOptions options;
  options.parts.structure = options.parts.fine = false;  // which draw words at random
  for (const char* const wide :
       {"thread_bands | thread_pad | interleave run=4 | thread_total vector=4",
        "thread_pad multiple=4 | interleave run=4 | thread_total vector=4",
        "interleave run=2 | thread_bitmap vector=2"}) {
    options.is_measured = true;
    EXPECT_TRUE(proposes(wide, options, 200)) << wide;
    options.is_measured = false;
    EXPECT_FALSE(proposes(wide, options, 100)) << wide;
  }
}

}  // namespace
}  // namespace alphasparse
