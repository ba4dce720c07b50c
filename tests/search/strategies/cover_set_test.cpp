// cover_set_test: which few designs serve many problems.
#include "search/strategies/cover_set.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace alphasparse {
namespace {

using Names = std::vector<std::string>;

Names names(const std::vector<CoverDesign>& cover) {
  Names names;
  for (const CoverDesign& one : cover) names.push_back(one.design);
  return names;
}

TEST(CoverSet, TheExampleOfTheHeader) {
  const std::vector<CoveredProblem> problems = {{{"a", 10}, {"b", 11}}, {{"b", 20}, {"c", 19}}};
  const auto cover = cover_set(problems, 4);
  EXPECT_EQ(names(cover), (Names{"b", "a", "c"}));
  EXPECT_EQ(cover[0].best_on, 0U);
  EXPECT_EQ(cover[1].best_on, 0U);
  EXPECT_EQ(cover[2].best_on, 1U);
  EXPECT_EQ(names(cover_set(problems, 2)), (Names{"b", "a"}));
}

// A design that is best nowhere may serve all.
TEST(CoverSet, ServingAllComesBeforeWinningOnce) {
  std::vector<CoveredProblem> problems;
  for (const char* const winner : {"u", "v", "w", "x"})
    problems.push_back({{winner, 10}, {"all-round", 10.5}});
  EXPECT_EQ(names(cover_set(problems, 1)), (Names{"all-round"}));
}

TEST(CoverSet, WhatIsTwiceAsLongServesNobody) {
  EXPECT_EQ(names(cover_set({{{"fast", 10}, {"slow", 20}}, {{"slow", 30}, {"quick", 10}}}, 4)),
            (Names{"fast", "quick"}));
}

TEST(CoverSet, OfEqualsTheShorterThenTheFirst) {
  EXPECT_EQ(names(cover_set({{{"bb", 10}, {"aaa", 10}, {"cc", 10}}}, 3)), (Names{"bb"}));
}

TEST(CoverSet, OfNothingThereIsNothing) {
  EXPECT_TRUE(cover_set({}, 4).empty());
  EXPECT_TRUE(cover_set({{}, {}}, 4).empty());
  EXPECT_EQ(names(cover_set({{}, {{"a", 1}}}, 4)), (Names{"a"}));
}

}  // namespace
}  // namespace alphasparse
