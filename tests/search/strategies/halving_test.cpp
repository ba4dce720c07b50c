// halving_test: coarse grids searched together, on times that a script makes up.
#include "search/strategies/halving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

using Names = std::vector<std::string>;

constexpr int side = 6;  // of each grid: "a x=0 y=0" to "a x=5 y=5"

std::string point(const std::string& structure, int x, int y) {
  return structure + " x=" + std::to_string(x) + " y=" + std::to_string(y);
}

std::string first_word_of(const std::string& design) { return design.substr(0, design.find(' ')); }

Designs grid_of(const CanonicalDesign& design) {
  Designs designs;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const CanonicalDesign other = made_up(point(first_word_of(design.text()), x, y));
      if (other != design) designs.push_back(other);
    }
  }
  return designs;
}

/// Where a structure is fastest, how fast, and how much slower a step aside.
struct Valley {
  double best_us;
  int x, y;
  double slope;
};

class RungSearch {
 public:
  explicit RungSearch(std::map<std::string, Valley> valleys) : valleys_(std::move(valleys)) {
    for (const auto& [structure, valley] : valleys_) measure(point(structure, 0, 0));
  }

  double time_us(const std::string& design) const {
    const Valley& valley = valleys_.at(first_word_of(design));
    const int x = design[design.find("x=") + 2] - '0', y = design[design.find("y=") + 2] - '0';
    const double compact = design.find("compact") != std::string::npos ? 0.99 : 1;
    return valley.best_us * compact *
           (1 + valley.slope * (std::abs(x - valley.x) + std::abs(y - valley.y)));
  }

  void measure(const std::string& design) {
    Measurement outcome;
    outcome.design = design;
    outcome.verified = true;
    outcome.timing.emplace().time_us = time_us(design);
    outcomes.emplace(design, outcome);
    known.add(made_up(design));
    order.push_back(design);
  }

  /// Tries proposals until `goal` is known or nothing is left; returns the number of trials.
  std::size_t run(Halving& halving, const std::string& goal = "", std::size_t count = 4) {
    const std::size_t before = order.size();
    while (goal.empty() || !outcomes.contains(goal)) {
      const Names designs = list_texts(halving.next(outcomes, count));
      if (designs.empty()) break;
      for (const std::string& design : designs) {
        EXPECT_FALSE(outcomes.contains(design)) << "proposed twice: " << design;
        measure(design);
      }
    }
    return order.size() - before;
  }

  /// As run(), but one grid after the other, the fastest structure's first.
  std::size_t run_in_turn(const std::string& goal) {
    std::map<double, std::string> roots;
    for (const auto& [design, outcome] : outcomes) roots[outcome.timing->time_us] = design;
    std::size_t tried = 0;
    for (const auto& [us, root] : roots) {
      for (const CanonicalDesign& design : grid_of(made_up(root))) {
        ++tried;
        if (design == goal) return tried;
      }
    }
    return tried;
  }

  Outcomes outcomes;
  KnownDesigns known;
  Names order;

 private:
  std::map<std::string, Valley> valleys_;
};

Halving plain_halving(KnownDesigns& known, double reach = std::numeric_limits<double>::infinity()) {
  return Halving(
      known, grid_of, [](const CanonicalDesign&) { return Designs(); },
      [](const CanonicalDesign&) { return true; }, reach);
}

/// The first is fastest as it comes and gains nothing; the third has the best point of all.
std::map<std::string, Valley> rivals() {
  return {{"a", {10, 0, 0, 0.2}}, {"b", {11, 0, 0, 0.3}}, {"c", {6, 4, 3, 0.15}},
          {"d", {13, 1, 1, 0.3}}, {"e", {20, 2, 2, 0.1}}, {"f", {14, 0, 5, 0.2}}};
}

TEST(Halving, FindsTheBestStructuresBestPointSoonerThanGridByGrid) {
  RungSearch search(rivals());
  Halving halving = plain_halving(search.known);
  const std::string goal = point("c", 4, 3);
  const std::size_t in_turn = search.run_in_turn(goal);
  const std::size_t halved = search.run(halving, goal);
  EXPECT_EQ(in_turn, 92U) << "two grids before, and most of its own";
  EXPECT_TRUE(search.outcomes.contains(goal));
  EXPECT_LT(halved, in_turn / 2);
}

TEST(Halving, TheBetterHalfGoesOnWithTwiceAsManyPoints) {
  RungSearch search(rivals());
  Halving halving = plain_halving(search.known);
  std::map<std::string, int> counts;
  const auto rung = [&] {
    counts.clear();
    for (const std::string& design : list_texts(halving.next(search.outcomes, 100))) {
      ++counts[first_word_of(design)];
      search.measure(design);
    }
    return counts;
  };
  // There are 6 structures at 10, 11, 12.3, 16.9, 21 and 28 us.
  EXPECT_EQ(rung(), (std::map<std::string, int>{{"a", 2}, {"b", 2}, {"c", 2}}));
  EXPECT_EQ(rung(), (std::map<std::string, int>{{"a", 4}, {"c", 4}}));
  EXPECT_EQ(rung(), (std::map<std::string, int>{{"c", 8}}));
  while (rung().contains("c")) {  // once more after every rung that made it faster
    ASSERT_EQ(counts, (std::map<std::string, int>{{"c", 8}}));
  }
  EXPECT_LT(search.order.size(), 60U) << "it has won, and waits for the others";
  EXPECT_TRUE(counts.contains("a"));
}

TEST(Halving, WhatIsOutOfReachWaitsForAllThatIsNot) {
  RungSearch search(rivals());
  Halving halving = plain_halving(search.known, 1.15);
  std::set<std::string> tried;
  for (const std::string& design : list_texts(halving.next(search.outcomes, 100)))
    tried.insert(first_word_of(design));
  EXPECT_EQ(tried, (std::set<std::string>{"a", "b"})) << "at 10 and 11 us; c is at 12.3";
  RungSearch all(rivals());
  Halving to_the_end = plain_halving(all.known, 1.15);
  all.run(to_the_end);
  EXPECT_EQ(all.order.size(), 6U * side * side);
  const auto first = [&](const std::string& structure) {
    return std::find_if(all.order.begin() + 6, all.order.end(), [&](const std::string& design) {
      return first_word_of(design) == structure;
    });
  };
  EXPECT_LT(first("b"), first("c"));
  EXPECT_LT(first("c"), first("e"));
}

TEST(Halving, TriesEveryPointOnceInTheEnd) {
  for (const std::size_t batch : {1U, 5U}) {
    RungSearch search(
        {{"fast", {10, 0, 0, 0.2}}, {"late", {1, 5, 5, 5}}, {"slow", {30, 3, 3, 0.1}}});
    Halving halving = plain_halving(search.known);
    search.run(halving, "", batch);
    EXPECT_EQ(search.order.size(), 3U * side * side);
    EXPECT_TRUE(search.outcomes.contains(point("late", 5, 5))) << "slow as it came";
    EXPECT_TRUE(halving.next(search.outcomes, 1).empty());
  }
}

TEST(Halving, WhatOthersFindEntersTheNextBracket) {
  RungSearch search({{"a", {10, 0, 0, 0.2}}, {"b", {20, 0, 0, 0.2}}, {"new", {5, 1, 1, 0.1}}});
  search.outcomes.erase(point("new", 0, 0));
  Halving halving = plain_halving(search.known);
  for (const std::string& design : list_texts(halving.next(search.outcomes, 100)))
    search.measure(design);
  search.measure(point("new", 0, 0));
  const Names next = list_texts(halving.next(search.outcomes, 100));
  ASSERT_FALSE(next.empty());
  EXPECT_EQ(first_word_of(next.front()), "new") << "the first bracket had but one structure";
}

TEST(Halving, TheSameOutcomesGiveTheSameProposals) {
  RungSearch first(rivals()), second(rivals());
  Halving of_first = plain_halving(first.known), of_second = plain_halving(second.known);
  first.run(of_first);
  second.run(of_second);
  EXPECT_EQ(first.order, second.order);
}

TEST(Halving, TheBestOfARungIsCompacted) {
  RungSearch search({{"a", {10, 2, 2, 0.2}}});
  Halving halving(
      search.known, grid_of,
      [](const CanonicalDesign& design) { return Designs{made_up(design.text() + " | compact")}; },
      [](const CanonicalDesign&) { return true; });
  for (const std::string& design : list_texts(halving.next(search.outcomes, 100)))
    search.measure(design);
  const std::string best = find_best(search.outcomes)->design;
  const Names next = list_texts(halving.next(search.outcomes, 100));
  EXPECT_NE(std::find(next.begin(), next.end(), best + " | compact"), next.end());
}

TEST(Halving, PointsThatAreNotLegalArePassedOver) {
  RungSearch search({{"a", {10, 2, 2, 0.2}}});
  Halving halving(
      search.known, grid_of, [](const CanonicalDesign&) { return Designs(); },
      [](const CanonicalDesign& design) { return design.text().find("x=0") != std::string::npos; });
  EXPECT_EQ(halving.next(search.outcomes, 100).size(), 2U) << "others come in their place";
  search.run(halving);
  EXPECT_EQ(search.order.size() + 2, static_cast<std::size_t>(side));
}

TEST(Halving, WithoutATimeThereIsNothingToPropose) {
  KnownDesigns known;
  Halving halving = plain_halving(known);
  Outcomes outcomes;
  Measurement& wrong = outcomes["a x=0 y=0"];
  wrong.design = "a x=0 y=0";
  wrong.status = Status::wrong_result;
  EXPECT_TRUE(halving.next(outcomes, 4).empty());
}

}  // namespace
}  // namespace alphasparse
