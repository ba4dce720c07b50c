// portfolio_test: the strategy that proposes next, in view of the gains of each strategy.
#include "search/strategies/portfolio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

using Names = std::vector<std::string>;

/// NAME0, NAME1, ... without end, or as many as there are.
Proposer numbered(const std::string& name, int most = 1 << 30) {
  auto next = std::make_shared<int>(0);
  Proposer proposer;
  proposer.name = name;
  proposer.propose = [=](const Outcomes&, std::size_t count) {
    Designs designs;
    while (*next < most && designs.size() < count)
      designs.push_back(made_up(name + std::to_string((*next)++)));
    return designs;
  };
  return proposer;
}

void learn(Portfolio& portfolio, const Measurement& outcome) {
  portfolio.learn(made_up(outcome.design), outcome);
}

TEST(Portfolio, AProposerIsToldWhichDesignsAreItsOwn) {
  std::map<std::string, bool> is_own;
  Proposer proposer = numbered("a");
  proposer.learn = [&](const CanonicalDesign& design, const Measurement&, bool own) {
    is_own[design.text()] = own;
  };
  Portfolio portfolio({proposer, numbered("b", 0)});
  portfolio.propose({}, 1);
  learn(portfolio, timed("a0", 1));
  learn(portfolio, timed("a1", 1));
  EXPECT_EQ(is_own, (std::map<std::string, bool>{{"a0", true}, {"a1", false}}));
}

TEST(Portfolio, TheFirstComeFirst) {
  std::vector<Proposer> proposers = {numbered("late"), numbered("named", 3)};
  proposers[1].first = true;
  Portfolio portfolio(proposers);
  EXPECT_EQ(list_texts(portfolio.propose({}, 2)), (Names{"named0", "named1"}));
  EXPECT_EQ(list_texts(portfolio.propose({}, 2)), Names{"named2"});
  EXPECT_EQ(list_texts(portfolio.propose({}, 2)), (Names{"late0", "late1"}));
  EXPECT_EQ(portfolio.find_origin("named1"), "named");
  EXPECT_EQ(portfolio.find_origin("nobody"), "");
}

TEST(Portfolio, WhatIsKnownOrProposedIsLeftOut) {
  Portfolio portfolio({numbered("a", 4)});
  Outcomes outcomes;
  outcomes.emplace("a1", timed("a1", 1));
  EXPECT_EQ(list_texts(portfolio.propose(outcomes, 3)), (Names{"a0", "a2"}));
  EXPECT_EQ(list_texts(portfolio.propose(outcomes, 3)), Names{"a3"});
  EXPECT_EQ(list_texts(portfolio.propose(outcomes, 3)), Names{});
}

TEST(Portfolio, WhoeverHasNothingIsPassedOver) {
  Portfolio portfolio({numbered("a", 0), numbered("b", 5), numbered("c", 0)});
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(list_texts(portfolio.propose({}, 1)), Names{"b" + std::to_string(i)});
  EXPECT_EQ(list_texts(portfolio.propose({}, 1)), Names{});
}

/// How often each strategy proposes in 1000 batches, where each of a's designs gains one per cent.
std::map<std::string, int> shares(double gain, std::uint64_t seed) {
  PortfolioOptions options;
  options.seed = seed;
  Portfolio portfolio({numbered("a"), numbered("b"), numbered("c")}, options);
  std::map<std::string, int> counts;
  double best_us = 1e6;
  for (int batch = 0; batch < 1000; ++batch) {
    const std::string design = portfolio.propose({}, 1).front().text();
    const std::string origin = portfolio.find_origin(design);
    ++counts[origin];
    const bool gains = origin == "a" || batch == 0;
    learn(portfolio, timed(design, gains ? best_us *= 1 - gain : best_us * 2));
  }
  return counts;
}

TEST(Portfolio, WhoeverGainsGetsMoreAndNobodyGetsNothing) {
  const auto equal = shares(0, 1);
  for (const char* const name : {"a", "b", "c"}) {
    EXPECT_GT(equal.at(name), 250) << name;
    EXPECT_LT(equal.at(name), 420) << name;
  }
  const auto unequal = shares(0.1, 1);
  EXPECT_GT(unequal.at("a"), 550);
  EXPECT_GT(unequal.at("b"), 80);
  EXPECT_GT(unequal.at("c"), 80);
  EXPECT_EQ(shares(0.1, 1), unequal) << "the same seed, the same lots";
  EXPECT_NE(shares(0.1, 2), unequal);
}

/// How often each strategy proposes in 1000 batches, where a and b gain alike and a's take
/// `seconds` while others take one.
std::map<std::string, int> shares_by_cost(std::optional<double> seconds) {
  Portfolio portfolio({numbered("a"), numbered("b"), numbered("c")});
  std::map<std::string, int> counts;
  double best_us = 1e6;
  for (int batch = 0; batch < 1000; ++batch) {
    const std::string design = portfolio.propose({}, 1).front().text();
    const std::string origin = portfolio.find_origin(design);
    ++counts[origin];
    learn(portfolio, timed(design, origin == "c" ? best_us* 2 : best_us *= 0.9));
    if (seconds) portfolio.spent(origin == "a" ? *seconds : 1);
  }
  return counts;
}

TEST(Portfolio, GainsAreWeighedBySeconds) {
  const auto untold = shares_by_cost(std::nullopt), equal = shares_by_cost(1);
  EXPECT_EQ(untold, equal);
  EXPECT_NEAR(untold.at("a"), untold.at("b"), 120);
  const auto dear = shares_by_cost(6);
  EXPECT_GT(dear.at("b"), 2 * dear.at("a")) << "as much gained, for a sixth of the time";
  EXPECT_GT(dear.at("a"), dear.at("c")) << "c gains nothing";
  EXPECT_EQ(shares_by_cost(6), dear);
}

TEST(Portfolio, RecordsTellWhoHasBroughtWhat) {
  Portfolio portfolio({numbered("a")});
  int told = 0;
  Proposer listener = numbered("b", 0);
  listener.learn = [&](const CanonicalDesign&, const Measurement&, bool is_own) {
    ++told;
    EXPECT_FALSE(is_own);
  };
  portfolio = Portfolio({numbered("a"), listener});
  learn(portfolio, timed("before", 20));
  portfolio.propose({}, 4);
  Measurement wrong = timed("a0", 1);
  wrong.status = Status::wrong_result;
  wrong.verified = false;
  learn(portfolio, wrong);
  learn(portfolio, timed("a1", 25));
  EXPECT_EQ(portfolio.verified_since_gain(), 1);
  learn(portfolio, timed("a2", 10));
  learn(portfolio, timed("a3", 11));
  const ProposerRecord& record = portfolio.records().front();
  EXPECT_EQ(record.proposed, 4);
  EXPECT_EQ(record.verified, 3);
  EXPECT_EQ(record.bests, 1);
  EXPECT_NEAR(record.gained, std::log(2), 1e-12);
  EXPECT_EQ(portfolio.verified_since_gain(), 1);
  EXPECT_EQ(portfolio.verified(), 3);
  EXPECT_EQ(told, 5);
  portfolio.propose({}, 1);
  learn(portfolio, timed("a4", 9.99));
  EXPECT_EQ(portfolio.verified_since_gain(), 2) << "a tenth of a per cent is no gain";
}

}  // namespace
}  // namespace alphasparse
