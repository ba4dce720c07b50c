// experience: designs that were tried less and designs that were fast are grown more often.
#include "search/space/experience.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "search/structure/growth.h"
#include "tests/support/battery.h"
#include "tests/support/outcomes.h"
#include "tests/support/search_fixture.h"

namespace alphasparse {
namespace {

std::vector<Step> steps_of(const std::string& chain) { return parse_design(chain)->steps; }

void learn(Experience& experience, const Measurement& outcome) {
  experience.learn(made_up(outcome.design), outcome);
}

std::vector<double> weighed(const Experience& experience, const std::string& before,
                            const std::vector<std::string_view>& next,
                            std::vector<double> weights) {
  experience.weigh(before.empty() ? std::vector<Step>() : steps_of(before), next, weights);
  return weights;
}

TEST(Experience, NothingIsKnownAtFirst) {
  const Experience experience;
  EXPECT_EQ(weighed(experience, "", {"compress", "sort_rows"}, {10, 1}),
            (std::vector<double>{10, 1}));
}

TEST(Experience, WhatWasTriedLessThanItsShareGainsWeight) {
  Experience experience;
  for (int i = 0; i < 8; ++i) {
    learn(experience, timed("compress | thread_rows rows=" + std::to_string(i + 1), 5));
  }
  // Half of the 8 were due to each.
  const auto weights = weighed(experience, "compress", {"thread_rows", "block_cols"}, {2, 2});
  EXPECT_DOUBLE_EQ(weights[0], 2 * std::sqrt(5.0 / 9));
  EXPECT_DOUBLE_EQ(weights[1], 2 * std::sqrt(5.0));
}

TEST(Experience, WhatIsTriedAsOftenAsItsShareKeepsItsWeight) {
  Experience experience;
  learn(experience, timed("compress | thread_rows rows=1", 5));
  learn(experience, timed("compress | block_cols width=64", 5));
  EXPECT_EQ(weighed(experience, "compress", {"thread_rows", "block_cols"}, {3, 3}),
            (std::vector<double>{3, 3}));
}

TEST(Experience, WhatWasSlowLosesWeight) {
  Experience experience;
  learn(experience, timed("compress | thread_rows rows=1", 15));
  learn(experience, timed("compress | block_cols width=64", 5));
  EXPECT_EQ(weighed(experience, "compress", {"thread_rows", "block_cols"}, {3, 3}),
            (std::vector<double>{1, 3}));
}

TEST(Experience, WhatFailedWasTriedAndHasNoTime) {
  Experience experience;
  learn(experience, timed("compress | thread_rows rows=1", 5, Status::wrong_result));
  const auto weights = weighed(experience, "compress", {"thread_rows", "block_cols"}, {1, 1});
  EXPECT_DOUBLE_EQ(weights[0], std::sqrt(1.5 / 2));
  EXPECT_DOUBLE_EQ(weights[1], std::sqrt(1.5));
}

TEST(Experience, PrunedDesignsAndDuplicatesAreNotTried) {
  Experience experience;
  for (const Status status : {Status::pruned, Status::duplicate}) {
    learn(experience, timed("compress | thread_rows rows=1", 5, status));
  }
  EXPECT_EQ(weighed(experience, "compress", {"thread_rows", "block_cols"}, {1, 1}),
            (std::vector<double>{1, 1}));
}

TEST(Experience, WhatCannotComeStaysOut) {
  Experience experience;
  learn(experience, timed("compress | thread_rows rows=1", 5));
  EXPECT_EQ(weighed(experience, "compress", {"thread_rows", "block_cols"}, {1, 0})[1], 0);
}

/// How many of the designs that grow behind `compress`, and take as long as one another, begin with
/// each operator there.
std::map<std::string, int> grown_with(Experience* experience) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchFixture fixture(matrix);
  SearchSpace space = fixture.space;
  space.experience = experience;
  Random random(5);
  std::map<std::string, int> beginnings;
  for (int i = 0; i < 200; ++i) {
    const CanonicalDesign design = grow(space, random, *parse_design("compress")).value();
    ++beginnings[design.tree().steps[1].op];
    if (experience) experience->learn(design, timed(design.text(), 5));
  }
  return beginnings;
}

TEST(Experience, GrowthTurnsFromWhatWasTriedOften) {
  const std::map<std::string, int> blind = grown_with(nullptr);
  const std::string usual = std::max_element(blind.begin(), blind.end(), [](auto& a, auto& b) {
                              return a.second < b.second;
                            })->first;
  Experience experience;
  for (int rows = 1; rows <= 400; ++rows) {
    learn(experience, timed(fmt::format("compress | {}", usual), 5));
  }
  std::map<std::string, int> guided = grown_with(&experience);
  std::printf("%s: %d of 200, %d once it was tried often\n", usual.c_str(), blind.at(usual),
              guided[usual]);
  EXPECT_LT(3 * guided[usual], 2 * blind.at(usual));
}

}  // namespace
}  // namespace alphasparse
