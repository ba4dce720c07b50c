// vendor_share_test: how many of the vendor's algorithms a search has time for.
#include "search/trial/vendor_share.h"

#include <gtest/gtest.h>

#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

Measurement tried(const std::string& name, double time_us, double trial_seconds,
                  double load_seconds) {
  Measurement outcome = timed(name, time_us);
  outcome.trial_us = 1e6 * trial_seconds;
  outcome.load_us = 1e6 * load_seconds;
  return outcome;
}

TEST(VendorShare, EndsWhereTheNextMayNotFit) {
  VendorShare share(60);
  Outcomes known;
  known.emplace("a", tried("a", 10, 4, 1));
  share.spent(4);
  EXPECT_TRUE(share.has_room(known));
  EXPECT_DOUBLE_EQ(share.seconds_left(known), 7) << "of 12; one is for the finals";
  known.emplace("b", tried("b", 11, 3.5, 0.5));
  share.spent(3.5);
  EXPECT_FALSE(share.has_room(known)) << "another might take as long as the first";
  EXPECT_EQ(share.finalists(known), (std::vector<std::string>{"a", "b"}));
  share.spent(3.5);
  EXPECT_EQ(share.finalists(known), std::vector<std::string>{"a"}) << "both take too long to load";
}

TEST(VendorShare, OneHasATimeInAnyCase) {
  VendorShare share(0);
  share.spent(5);
  Outcomes known;
  Measurement refused = tried("a", 0, 5, 1);
  refused.status = Status::pruned;
  refused.verified = false;
  refused.timing.reset();
  known.emplace("a", refused);
  EXPECT_TRUE(share.has_room(known)) << "none has";
  EXPECT_TRUE(share.finalists(known).empty());
  known.emplace("b", tried("b", 10, 5, 5));
  EXPECT_FALSE(share.has_room(known));
  EXPECT_EQ(share.seconds_left(known), 0);
  EXPECT_EQ(share.finalists(known), std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace alphasparse
