// budget_test: how a search's time and trials are divided, and how their use is counted.
#include "search/trial/budget.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace alphasparse {
namespace {

using Times = Budget::Times;

TEST(Budget, TheLastComparisonHasATenthButAtMostAQuarter) {
  EXPECT_EQ(Budget({60, 0, 0}, Times::measured).allow_comparison(), 6);
  EXPECT_EQ(Budget({10, 0, 0}, Times::measured).allow_comparison(), 2);
  EXPECT_EQ(Budget({4, 0, 0}, Times::measured).allow_comparison(), 1);
  EXPECT_EQ(Budget({60, 0, 0}, Times::modelled).allow_comparison(), 0);
  EXPECT_EQ(Budget({60, 0, 0}, Times::measured, 0, true).allow_comparison(), 0) << "a sample";
}

TEST(Budget, ADisturbedComparisonEndsATenthLater) {
  EXPECT_EQ(Budget({30, 0, 0}, Times::measured).allow_late_comparison(), 3);
  EXPECT_EQ(Budget({6, 0, 0}, Times::measured).allow_late_comparison(), 0.1 * 6);
  EXPECT_EQ(Budget({600, 0, 0}, Times::measured).allow_late_comparison(), 5);
}

TEST(Budget, AnExplanationHasATenthAndAQuarterOfLittleTime) {
  EXPECT_EQ(Budget({0, 0, 0}).allow_explanation(), 5) << "the answer is known";
  EXPECT_EQ(Budget({1, 0, 0}).allow_explanation(), 0.25);
  EXPECT_EQ(Budget({30, 0, 0}).allow_explanation(), 5);
  EXPECT_EQ(Budget({600, 0, 0}).allow_explanation(), 60);
}

TEST(Budget, ACounterpartHasATenthOfLittleTime) {
  EXPECT_EQ(Budget({1, 0, 0}).allow_counterpart(), 0.1);
  EXPECT_EQ(Budget({15, 0, 0}).allow_counterpart(), 1);
  EXPECT_EQ(Budget({60, 0, 0}).allow_counterpart(), 3);
}

TEST(Budget, BaselinesHaveAFifthOfTheTimeThatIsLeft) {
  const Budget budget({1e6, 0, 0}, Times::measured, 5e5);
  EXPECT_NEAR(budget.allow_baselines(), 1e5, 1e3);
  EXPECT_EQ(Budget({10, 0, 0}, Times::measured, 11).allow_baselines(), 0);
}

TEST(Budget, TheSmallestSampleLeavesTimeForATrialOfTheWhole) {
  const Budget budget({1e6, 0, 0});
  EXPECT_EQ(budget.allow_smallest_sample(0).seconds, 5e5);
  EXPECT_NEAR(budget.allow_smallest_sample(4e5).seconds, 4e5, 1e3);
  EXPECT_EQ(budget.allow_smallest_sample(1e6).seconds, 2e5);
  EXPECT_EQ(budget.allow_further_sample().seconds, 1e5);
  EXPECT_FALSE(budget.allow_smallest_sample(0).trials.has_value());
  EXPECT_TRUE(budget.does_for_samples());
}

TEST(Budget, SamplesHaveAPartOfTheTrialsToo) {
  Budget budget({1e6, 100, 0});
  EXPECT_EQ(budget.allow_smallest_sample(0).trials, 75);
  EXPECT_EQ(budget.allow_further_sample().trials, 10);
  budget.spend_trials(40);
  EXPECT_EQ(budget.allow_smallest_sample(0).trials, 60) << "no more than are left";
  EXPECT_EQ(Budget({60, 6, 0}).allow_smallest_sample(0).trials, 4);
  EXPECT_EQ(Budget({60, 6, 0}).allow_further_sample().trials, 1) << "0 would be no limit";
  EXPECT_TRUE(Budget({60, 6, 0}).does_for_samples());
  EXPECT_FALSE(Budget({60, 5, 0}).does_for_samples()) << "all are the whole's";
}

TEST(Budget, EarlierRunsAndTheReadingHaveSpentOfIt) {
  Budget budget({1e6, 100, 0}, Times::measured, 1e5);
  budget.resume({2e5, 30, 0});
  EXPECT_NEAR(budget.seconds_left(), 7e5, 1e3);
  const Allowance allowance = budget.allow_trials();
  EXPECT_NEAR(allowance.seconds, 6e5, 1e3);
  ASSERT_TRUE(allowance.trials.has_value());
  EXPECT_EQ(*allowance.trials, 70);
  budget.spend_trials(70);
  EXPECT_FALSE(budget.has_trials());
  EXPECT_FALSE(Budget({10, 0, 0}).allow_trials().trials.has_value());
  EXPECT_TRUE(Budget({10, 0, 0}).has_trials());
}

TEST(Budget, APartHasTheSecondsOfItsPlanThatItHasNotUsed) {
  Budget budget({1e6, 0, 0}, Times::measured);
  const Budget::Scope scope = budget.enter(Part::explanation);
  EXPECT_NEAR(budget.left_of_part(), 1e5, 1e3);
  const double before = budget.left_of_part();
  EXPECT_LE(budget.left_of_part(), before);
}

TEST(Budget, PartsNestAndAreTold) {
  Budget budget({60, 0, 0}, Times::measured, 1.5);
  std::vector<std::string> told;
  budget.on_part([&] { told.emplace_back(part_name(budget.part())); });
  {
    const Budget::Scope baselines = budget.enter(Part::baselines);
    EXPECT_EQ(budget.part(), Part::baselines);
  }
  {
    const Budget::Scope samples = budget.enter(Part::samples);
    const Budget::Scope inside = budget.enter(Part::search);
    EXPECT_EQ(budget.part(), Part::search);
  }
  EXPECT_EQ(told, (std::vector<std::string>{"baselines", "samples", "search"}));
  const std::vector<PartTime> parts = budget.parts();
  ASSERT_GE(parts.size(), 4u);
  EXPECT_EQ(parts[0].part, Part::reading);
  EXPECT_EQ(parts[0].used, 1.5);
  double used = 0;
  for (const PartTime& part : parts) used += part.used;
  EXPECT_LE(used, budget.seconds()) << "every moment belongs to one part";
  EXPECT_NEAR(parts[1].planned.value_or(0), 0.2 * 58.5, 0.1);
  EXPECT_FALSE(parts[3].planned.has_value()) << "the search has what the others leave";
}

TEST(Budget, ThePlanIsOneLine) {
  EXPECT_EQ(plan_text({{Part::reading, {}, 0.25}, {Part::comparison, 6, 5.91}}),
            "reading 0.2 s, last comparison 5.9 of 6.0 s");
  EXPECT_EQ(plan_text({}), "");
}

}  // namespace
}  // namespace alphasparse
