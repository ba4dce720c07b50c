// baseline_share_test: how many of the vendor's algorithms a search has time for.
#include "search/trial/baseline_share.h"

#include <gtest/gtest.h>

#include <utility>

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

TEST(BaselineShare, EndsWhereTheNextMayNotFit) {
  BaselineShare share(12);
  Outcomes known;
  known.emplace("a", tried("a", 10, 4, 1));
  share.spent(4);
  EXPECT_TRUE(share.has_room(known));
  EXPECT_NEAR(share.seconds_left(known), 7, 1e-3) << "of 12; one is for the finals";
  known.emplace("b", tried("b", 11, 3.5, 0.5));
  share.spent(3.5);
  EXPECT_FALSE(share.has_room(known)) << "another might take as long as the first";
  EXPECT_EQ(share.finalists(known), (std::vector<std::string>{"a", "b"}));
  share.spent(3.5);
  EXPECT_EQ(share.finalists(known), std::vector<std::string>{"a"}) << "both take too long to load";
}

TEST(BaselineShare, OnACpuAllThatAreNearTheFastestMeetInTheFinals) {
  Outcomes known;
  for (const auto& [name, time_us] :
       {std::pair{"a", 10.0}, {"b", 13.0}, {"c", 13.1}, {"d", 11.0}, {"e", 12.0}, {"f", 12.5}})
    known.emplace(name, tried(name, time_us, 1, 0.1));
  const BaselineShare cpu(12, Target::cpu), gpu(12, Target::gpu);
  EXPECT_EQ(cpu.finalists(known), (std::vector<std::string>{"a", "d", "e", "f"}));
  EXPECT_EQ(gpu.finalists(known), (std::vector<std::string>{"a", "d"}));
  known.erase("e");
  known.erase("f");
  EXPECT_EQ(cpu.finalists(known), (std::vector<std::string>{"a", "d", "b"})) << "c takes too long";
}

TEST(BaselineShare, RoundsOfFinalsAreItsToo) {
  Outcomes known;
  known.emplace("a", tried("a", 0.2e6, 3, 0));
  known.emplace("b", tried("b", 0.21e6, 3, 0));
  BaselineShare share(12, Target::cpu);
  share.spent(6);
  EXPECT_EQ(share.finalists(known), std::vector<std::string>{"a"})
      << "10 rounds of two runs of both take 8.2 s of 6";
  BaselineShare more(16, Target::cpu);
  more.spent(6);
  EXPECT_EQ(more.finalists(known), (std::vector<std::string>{"a", "b"}));
}

TEST(BaselineShare, OneHasATimeInAnyCase) {
  BaselineShare share(0);
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
