// rank_test: correlations of ranks, against values worked by hand.
#include "search/learning/rank.h"

#include <gtest/gtest.h>

#include <cmath>

namespace alphasparse {
namespace {

using Values = std::vector<double>;

TEST(Rank, EqualValuesShareTheMeanOfTheirRanks) {
  EXPECT_EQ(ranks(Values{}), Values{});
  EXPECT_EQ(ranks(Values{30, 10, 20}), (Values{3, 1, 2}));
  EXPECT_EQ(ranks(Values{1, 2, 2, 4}), (Values{1, 2.5, 2.5, 4}));
  EXPECT_EQ(ranks(Values{7, 7, 7}), (Values{2, 2, 2}));
}

struct Correlated {
  Values a, b;
  double spearman;
};

TEST(Rank, CorrelationsAreThoseWorkedByHand) {
  const Correlated cases[] = {
      {{1, 2}, {5, 9}, 1},
      {{1, 2}, {9, 5}, -1},
      {{1, 2, 3, 4, 5}, {10, 100, 1e3, 1e4, 1e5}, 1},
      {{1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}, -1},
      // squared differences of ranks 1 + 1 + 0 + 0 + 0: 1 - 6 * 2 / (5 * 24)
      {{1, 2, 3, 4, 5}, {2, 1, 3, 4, 5}, 0.9},
      // 1 + 1 + 1 + 1 + 0: 1 - 6 * 4 / (5 * 24)
      {{1, 2, 3, 4, 5}, {2, 1, 4, 3, 5}, 0.8},
      // 4 + 1 + 1 + 4: 1 - 6 * 10 / (4 * 15)
      {{1, 2, 3, 4}, {3, 1, 4, 2}, 0},
      // with ties, see rank.h
      {{1, 2, 2, 4}, {1, 3, 2, 3}, 3.75 / 4.5},
      // ranks 1.5 1.5 3.5 3.5 and 1 2 3 4: 4 / sqrt(4 * 5)
      {{1, 1, 2, 2}, {1, 2, 3, 4}, 4 / std::sqrt(20.0)},
  };
  for (const Correlated& one : cases) {
    EXPECT_NEAR(*spearman(one.a, one.b), one.spearman, 1e-12);
    EXPECT_NEAR(*spearman(one.b, one.a), one.spearman, 1e-12);
  }
}

TEST(Rank, WhereNothingDiffersThereIsNoCorrelation) {
  for (const auto& [a, b] :
       {std::pair<Values, Values>{}, {{1}, {2}}, {{1, 1}, {1, 2}}, {{1, 2}, {3, 3}}}) {
    EXPECT_FALSE(spearman(a, b));
  }
}

}  // namespace
}  // namespace alphasparse
