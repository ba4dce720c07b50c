// reference_test: times under a drift, as they are recorded.
#include "search/judging/reference.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

TEST(Reference, ADriftIsTakenOutOfWhatIsRecorded) {
  double drift = 1;
  Reference reference([&] { return std::optional(100 * drift); }, 0);
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
    EXPECT_DOUBLE_EQ(outcome.timing->time_us_min, 48);
    EXPECT_DOUBLE_EQ(outcome.bound_us, 20);
    EXPECT_EQ(outcome.timing->note.find("by the reference") != std::string::npos, now != 1);
  }
}

TEST(Reference, IsTimedAgainOnlyWhenTheTimeHasCome) {
  int asked = 0;
  const auto time_us = [&] { return std::optional(10.0 + ++asked); };
  Reference seldom(time_us, 1000);
  EXPECT_DOUBLE_EQ(seldom.factor(11), 1);
  EXPECT_DOUBLE_EQ(seldom.factor(22), 2);
  EXPECT_EQ(asked, 1);
}

TEST(Reference, WithoutATimeNothingChanges) {
  int asked = 0;
  Reference reference(
      [&]() -> std::optional<double> {
        ++asked;
        return std::nullopt;
      },
      0);
  EXPECT_EQ(reference.factor(0), 1);
  EXPECT_EQ(asked, 0) << "there is nothing to hold it against";
  EXPECT_EQ(reference.factor(10), 1);
  Measurement untimed;
  normalise(untimed, 2);
  EXPECT_FALSE(untimed.timing);
}

}  // namespace
}  // namespace alphasparse
