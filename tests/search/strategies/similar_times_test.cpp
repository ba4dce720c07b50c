// similar_times: expected times, corrected by those of similar matrices.
#include "search/strategies/similar_times.h"

#include <gtest/gtest.h>

#include <cmath>

#include "operators/named_designs.h"

namespace alphasparse {
namespace {

class CorrectedTimes : public testing::Test {
 protected:
  const Designs named = canonical_named_designs(Target::gpu);
  const CanonicalDesign &a = named[0], &b = named[1], &c = named[2], &d = named[3];
  const ExpectedTimes expected = {{a, 10}, {b, 10}, {c, 20}, {d, 15}};
  const SimilarTimes near{0.5, {{a.text(), 5}, {b.text(), 10}, {c.text(), 10}}};
};

TEST_F(CorrectedTimes, AreTheExpectedOnesWhereNothingIsKnown) {
  EXPECT_EQ(corrected(expected, {}), expected);
  EXPECT_EQ(corrected(expected, {{1, {{a.text(), 5}, {b.text(), 50}}}}), expected)
      << "two have no middle";
  EXPECT_EQ(corrected(expected, {{1, {{"x", 5}, {"y", 50}, {"z", 9}}}}), expected);
}

TEST_F(CorrectedTimes, FollowTheDesignsThatDidBetterOrWorseThanTheMiddleOne) {
  const ExpectedTimes times = corrected(expected, {near});
  EXPECT_DOUBLE_EQ(times.at(a), 10);
  EXPECT_DOUBLE_EQ(times.at(b), 10 * std::sqrt(2));  // a weight as large as the expectation's
  EXPECT_DOUBLE_EQ(times.at(c), 20);
  EXPECT_DOUBLE_EQ(times.at(d), 15) << "tried by none";
}

TEST_F(CorrectedTimes, FollowMoreAndNearerMatricesMore) {
  SimilarTimes far = near;
  far.weight = 0.1;
  const auto of_b = [&](const std::vector<SimilarTimes>& similar) {
    return corrected(expected, similar).at(b);
  };
  EXPECT_LT(of_b({far}), of_b({near}));
  EXPECT_LT(of_b({near}), of_b({near, near}));
  EXPECT_LT(of_b({near, near}), 20);
}

}  // namespace
}  // namespace alphasparse
