// batch_budget_test: how a total is divided among searches.
#include "tools/console/batch_budget.h"

#include <gtest/gtest.h>

#include <string>

namespace alphasparse {
namespace {

constexpr double most = 8 * 3600;

TEST(BatchBudget, AnAmpleTotalIsSharedLessTheCosts) {
  BatchBudget budget({100, 1, 8, 2, most});
  EXPECT_TRUE(budget.is_ample());
  EXPECT_DOUBLE_EQ(budget.next(0, false), (100 - 0.2) / 10 - 0.5)
      << "0.1 s are kept for each answer";
  budget.learn(9.5, 11.5, false);
  EXPECT_DOUBLE_EQ(budget.next(11.5, false), (100 - 11.5 - 0.2) / 9 - 2)
      << "by the costs that were met";
  budget.learn(8, 8, false);
  EXPECT_DOUBLE_EQ(budget.next(20, true), (80 - 0.2) / 8 - 1)
      << "by their mean; the others are searched for too";
  EXPECT_EQ(budget.seconds_enough(), 5);
  EXPECT_EQ(budget.next(90, true), 0) << "less than a search costs";
  EXPECT_NE(budget.text().find("100 s for 10 matrices on 1 device: about 9.5 s of search each"),
            std::string::npos)
      << budget.text();
  EXPECT_NE(budget.text().find("the 8 without an answer first"), std::string::npos);
}

TEST(BatchBudget, SeveralDevicesWorkAtOnceAndNoShareIsMoreThanIsLeft) {
  BatchBudget budget({100, 4, 8, 0, most});
  EXPECT_EQ(budget.next(0, false), 50 - 0.5);
  for (int i = 0; i < 6; ++i) budget.next(0, false);
  EXPECT_EQ(budget.next(70, false), 30 - 0.5) << "the last one has one device";
  BatchBudget capped({100, 1, 2, 0, 15});
  EXPECT_EQ(capped.next(0, false), 15);
  BatchBudget over({100, 1, 2, 0, most});
  EXPECT_EQ(over.next(200, false), 0);
}

TEST(BatchBudget, AScarceTotalGivesEachItsFirstRightDesign) {
  BatchBudget budget({10, 1, 100, 0, most});
  EXPECT_FALSE(budget.is_ample());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(budget.next(0.09 * i, false), 0);
    budget.learn(0, 0.09, false);
    if (i == 40) break;
  }
  EXPECT_EQ(budget.seconds_enough(), 0) << "whatever is known answers";
  EXPECT_NE(budget.text().find("the first right design each, the 100 without an answer first"),
            std::string::npos)
      << budget.text();
}

TEST(BatchBudget, WhereItIsScarceOnlyMatricesWithoutAnAnswerAreSearchedFor) {
  BatchBudget budget({10, 1, 2, 20, most});
  EXPECT_FALSE(budget.is_ample());
  EXPECT_EQ(budget.next(0, false), (10 - 20 * 0.1) / 2 - 0.5) << "the others have theirs";
  EXPECT_TRUE(budget.has_time(7.9, false));
  EXPECT_FALSE(budget.has_time(8.1, false)) << "it is kept for those with an answer";
  EXPECT_TRUE(budget.has_time(8.1, true));
  EXPECT_EQ(budget.next(0, true), 0);
  budget.learn(0, 0.01, true);
  EXPECT_TRUE(budget.has_time(9, false)) << "they need less";
  EXPECT_FALSE(budget.has_time(10, true));
  EXPECT_NE(budget.text().find("about 4.5 s of search each; the other 20 as the database"),
            std::string::npos)
      << budget.text();
}

}  // namespace
}  // namespace alphasparse
