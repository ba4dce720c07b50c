// reference_test: times under a drift, as they are recorded.
#include "search/evaluation/reference.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

constexpr Reference::Options always = {0, 0, 0, 0};  // asked at once, and waits for nothing

TEST(Reference, ADriftIsTakenOutOfWhatIsRecorded) {
  double drift = 1;
  Reference reference([&] { return std::optional(100 * drift); }, always);
  for (const double now : {1.0, 1.1, 0.8}) {
    drift = now;
    Measurement outcome = timed("a", 50 * drift);
    outcome.timing->time_us_p20 = 49 * drift;
    outcome.timing->time_us_p80 = 52 * drift;
    outcome.timing->time_us_min = 48 * drift;
    outcome.bound_us = 20 * drift;
    normalise(outcome, reference.factor(100));
    EXPECT_DOUBLE_EQ(outcome.timing->time_us, 50);
    EXPECT_DOUBLE_EQ(outcome.timing->time_us_p20, 49);
    EXPECT_DOUBLE_EQ(outcome.timing->time_us_p80, 52);
    EXPECT_DOUBLE_EQ(outcome.timing->time_us_min.value(), 48);
    EXPECT_DOUBLE_EQ(outcome.bound_us.value(), 20);
    EXPECT_EQ(outcome.timing->note.find("by the reference") != std::string::npos, now != 1);
  }
}

TEST(Reference, IsTimedAgainOnlyWhenTheTimeHasCome) {
  int asked = 0;
  const auto time_us = [&] { return std::optional(10.0 + ++asked); };
  Reference seldom(time_us, {0, 1000, 0, 0});
  EXPECT_DOUBLE_EQ(seldom.factor(11), 1);
  EXPECT_DOUBLE_EQ(seldom.factor(22), 2);
  EXPECT_EQ(asked, 1);
}

/// The times of the reference, one question after the other.
std::function<std::optional<double>()> answers(std::vector<double> times, std::size_t& asked) {
  return [times = std::move(times), &asked] { return std::optional(times.at(asked++)); };
}

TEST(Reference, ABatchWaitsUntilItIsAsFastAsItWas) {
  std::size_t asked = 0;
  Reference reference(answers({200, 150, 112, 105, 150, 90}, asked), {60, 0, 0, 0});
  EXPECT_DOUBLE_EQ(reference.factor(100), 100 / 105.0);
  EXPECT_EQ(asked, 4u);
  EXPECT_DOUBLE_EQ(reference.factor(100), 100 / 90.0) << "what is faster is no other load";
  EXPECT_EQ(asked, 6u);
}

TEST(Reference, TheWaitEnds) {
  std::size_t asked = 0;
  const auto forever = [&] { return std::optional(200.0 + 0.0 * ++asked); };
  Reference reference(forever, {0.02, 0, 0.001, 0});
  EXPECT_DOUBLE_EQ(reference.factor(100), 0.5);
  EXPECT_GT(asked, 1u);
  asked = 0;
  EXPECT_DOUBLE_EQ(reference.factor(100), 0.5);
  EXPECT_EQ(asked, 1u) << "it is for all batches";
}

TEST(Reference, ItHasMovedWhereItIsSlowerOrFasterThanForTheLastFactor) {
  std::size_t asked = 0;
  Reference reference(answers({100, 105, 130, 131, 100}, asked), {0, 1000, 0, 0});
  EXPECT_DOUBLE_EQ(reference.factor(100), 1);
  EXPECT_FALSE(reference.has_moved());
  EXPECT_TRUE(reference.has_moved());
  EXPECT_FALSE(reference.has_moved());
  EXPECT_TRUE(reference.has_moved());
  Reference fails([] { return std::optional<double>(); }, always);
  EXPECT_FALSE(fails.has_moved());
}

TEST(Reference, TheLeastTimeIsThatOfAQuietMoment) {
  std::size_t asked = 0;
  const auto slow_at_first = [&] {
    return std::optional(asked++ < 3 ? 200.0 : 101.0 - (asked == 5));
  };
  Reference reference(slow_at_first, {60, 0, 0.001, 0.05});
  EXPECT_EQ(reference.least_us(), 100);
  EXPECT_GT(asked, 5u);
  asked = 0;
  Reference hurried(slow_at_first, {0, 0, 0, 60});
  EXPECT_EQ(hurried.least_us(), 200) << "asked but once";
  EXPECT_FALSE(Reference([] { return std::optional<double>(); }, always).least_us());
}

TEST(Reference, WithoutATimeNothingChanges) {
  int asked = 0;
  Reference reference(
      [&]() -> std::optional<double> {
        ++asked;
        return std::nullopt;
      },
      always);
  EXPECT_EQ(reference.factor(0), 1);
  EXPECT_EQ(asked, 0) << "there is nothing to hold it against";
  EXPECT_EQ(reference.factor(10), 1);
  Measurement untimed;
  normalise(untimed, 2);
  EXPECT_FALSE(untimed.timing);
}

}  // namespace
}  // namespace alphasparse
