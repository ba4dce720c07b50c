// sampled_times_test: planted times on samples, the times that they tell for the whole matrix, and
// the designs that follow from them.
#include "search/estimates/sampled_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "operators/named_designs.h"
#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

constexpr std::int64_t whole_nnz = 80'000'000, sample_nnz = 8'000'000;

/// The time that a design really takes: a fixed part, and one that grows.
struct Planted {
  std::string design;
  double fixed_us, us_a_million;

  double us(std::int64_t nnz) const {
    return fixed_us + us_a_million * static_cast<double>(nnz) * 1e-6;
  }
};

Outcomes planted_outcomes(const std::vector<Planted>& all, std::int64_t nnz) {
  Outcomes outcomes;
  for (const Planted& one : all) outcomes.emplace(one.design, timed(one.design, one.us(nnz)));
  return outcomes;
}

SampledTimes planted_times(const std::vector<Planted>& all, KnownDesigns& known,
                           const std::vector<std::int64_t>& sizes) {
  SampledTimes times(whole_nnz);
  for (const std::int64_t nnz : sizes) times.add(planted_outcomes(all, nnz), known, nnz);
  return times;
}

CanonicalDesign planted_design(const std::string& text) { return *CanonicalDesign::read(text); }

std::string lanes(int count) {
  return "compress | thread_cols lanes=" + std::to_string(count) +
         " | thread_total | warp_total | global_store | launch tasks=bytes";
}

TEST(SampledTimes, OfTwoSamplesLieOnALine) {
  KnownDesigns known;
  const std::vector<Planted> all = {{lanes(2), 20, 2.5}, {lanes(4), 0, 4.375}, {lanes(8), 3, 4}};
  const auto us = planted_times(all, known, {sample_nnz, sample_nnz / 2}).whole_us();
  for (const Planted& one : all)
    EXPECT_NEAR(us.at(planted_design(one.design)), one.us(whole_nnz), 1e-6) << one.design;
}

TEST(SampledTimes, OfOneSampleGrowLikeTheNonZeros) {
  KnownDesigns known;
  const SampledTimes times = planted_times({{lanes(2), 20, 2.5}}, known, {sample_nnz});
  EXPECT_NEAR(times.whole_us().at(planted_design(lanes(2))), 400, 1e-6);
  EXPECT_FALSE(times.knows_fixed_part(planted_design(lanes(2))));
  EXPECT_TRUE(planted_times({{lanes(2), 20, 2.5}}, known, {whole_nnz})
                  .knows_fixed_part(planted_design(lanes(2))));
}

TEST(SampledTimes, OfTheLargestTwoSamplesCount) {
  SampledTimes times(whole_nnz);
  times.add(planted_design(lanes(2)), 1'000'000, 500);  // as of other caches
  times.add(planted_design(lanes(2)), 8'000'000, 40);
  times.add(planted_design(lanes(2)), 4'000'000, 30);
  EXPECT_NEAR(times.whole_us().at(planted_design(lanes(2))), 220, 1e-6);
}

TEST(SampledTimes, NeitherShrinkNorGrowFasterThanTheNonZeros) {
  SampledTimes times(whole_nnz);
  times.add(planted_design(lanes(2)), 4'000'000, 10);
  times.add(planted_design(lanes(2)), 8'000'000, 40);  // as where x left a cache
  times.add(planted_design(lanes(4)), 4'000'000, 41);
  times.add(planted_design(lanes(4)), 8'000'000, 40);  // by noise
  const auto us = times.whole_us();
  EXPECT_NEAR(us.at(planted_design(lanes(2))), 400, 1e-6);
  EXPECT_GT(us.at(planted_design(lanes(4))), 70);
}

TEST(PromotedDesigns, AreTheFastestOfEachStructureAndTheBestNamedOne) {
  const std::vector<std::string> named = named_lines(Target::cpu);
  std::vector<Planted> all = {{named[0], 0, 40}, {named[4], 0, 50}};
  for (const int count : {2, 4, 16}) all.push_back({lanes(count), 0, 10.0 + count});
  const auto promoted = [&](const std::vector<Planted>& of, std::size_t count) {
    KnownDesigns known;
    const auto us = planted_times(of, known, {sample_nnz}).whole_us();
    return list_texts(promoted_designs(planted_outcomes(of, sample_nnz), known, us, count,
                                       made_up_designs(named)));
  };
  EXPECT_EQ(promoted(all, 3), (std::vector<std::string>{named[0], lanes(2), lanes(4)}));
  EXPECT_EQ(promoted(all, 2), (std::vector<std::string>{named[0], lanes(2)}));
  EXPECT_TRUE(promoted({}, 3).empty());
}

TEST(PromotedDesigns, AreTwoOfEachStructureNearTheFastestThenFourMore) {
  const std::string rows =
      "compress | thread_rows rows=1 | thread_total | global_store | launch tasks=bytes";
  const std::string coo =
      "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes";
  const auto by_one = [](int count) {
    std::string text = lanes(count);
    return text.replace(text.find("bytes"), 5, "one");
  };
  const std::vector<Planted> planted = {
      {lanes(2), 0, 10},    {lanes(4), 0, 10.5},  {lanes(8), 0, 11},
      {lanes(16), 0, 11.2}, {lanes(32), 0, 11.5}, {by_one(2), 0, 12},
      {by_one(4), 0, 12.2}, {rows, 0, 12.4},      {coo, 0, 30}};
  KnownDesigns known;
  const auto us = planted_times(planted, known, {sample_nnz}).whole_us();
  const auto promoted =
      list_texts(promoted_designs(planted_outcomes(planted, sample_nnz), known, us, 20, {}));
  EXPECT_EQ(promoted, (std::vector<std::string>{lanes(2), lanes(4), rows, lanes(8), lanes(16),
                                                lanes(32), by_one(2), coo}));
}

/// Ten trials are left for the whole matrix. The second best named design of the sample, 10 %
/// behind, is the fastest there.
TEST(PromotedDesigns, AreByTurnsNamedOnesThatNoiseMayHavePutBehind) {
  const std::vector<std::string> named = named_lines(Target::cpu);
  std::vector<Planted> all = {{named[0], 0, 20}, {named[1], 0, 22}, {named[2], 0, 26}};
  for (const char* const sorted : {"", "sort_rows | ", "sort_rows_in_bands rows=256 | "}) {
    for (const int count : {2, 4, 8, 16}) {
      for (const char* const compact : {"", "compact columns=narrow | "}) {
        std::string text = sorted + lanes(count);
        text.insert(text.find("launch"), compact);
        all.push_back({text, 0, 16 + 0.1 * count});
      }
    }
  }
  KnownDesigns known;
  const auto us = planted_times(all, known, {sample_nnz}).whole_us();
  const Designs named_designs = canonical_named_designs(Target::cpu);
  Designs promoted =
      promoted_designs(planted_outcomes(all, sample_nnz), known, us, 20, named_designs);
  const auto place_of = [&](std::size_t number) {
    return std::find(promoted.begin(), promoted.end(), named_designs[number]) - promoted.begin();
  };
  ASSERT_EQ(place_of(0), 0);
  ASSERT_GE(place_of(1), 10) << "by its time alone it has no trial";
  const Designs before = promoted;
  const Designs near = near_named(us, named_designs);
  EXPECT_EQ(near, (Designs{named_designs[0], named_designs[1]})) << "a third is 1.3 times as slow";
  put_forward(near, 5, 2, promoted);
  EXPECT_EQ(place_of(0), 0) << "it is in front already";
  EXPECT_EQ(place_of(1), 5);
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + 5, promoted.begin()));
  put_forward({named_designs[2], before[9], before[1]}, 7, 2, promoted);
  EXPECT_EQ(promoted[7], named_designs[2]);
  EXPECT_EQ(promoted[9], before[9]);
  EXPECT_EQ(promoted[1], before[1]);
}

TEST(PromotedDesigns, KeepTheirOrderWhereOneStandsAtItsPlaceAlready) {
  const Designs named = canonical_named_designs(Target::cpu);
  const Designs near(named.begin(), named.begin() + 4);
  Designs others;
  for (const int count : {2, 4, 16, 32}) others.push_back(planted_design(lanes(count)));
  for (const CanonicalDesign& design : Designs(named.begin() + 4, named.begin() + 7))
    others.push_back(design);
  Designs promoted = {near[0],   others[0], others[1], others[2], others[3], near[1],
                      others[4], others[5], others[6], near[2],   near[3]};
  EXPECT_EQ(put_forward(near, 5, 2, promoted), 11u);
  EXPECT_EQ(promoted, (Designs{near[0], others[0], others[1], others[2], others[3], near[1],
                               others[4], near[2], others[5], near[3], others[6]}));
}

TEST(PromotedDesigns, TakeNoPlaceBehindTheLastOne) {
  const Designs named = canonical_named_designs(Target::cpu);
  Designs promoted = {named[0]};
  EXPECT_EQ(put_forward({named[1], named[0], named[2]}, 1, 1, promoted), 3u);
  EXPECT_EQ(promoted, Designs(named.begin(), named.begin() + 3));
}

TEST(PromotedDesigns, OfTwoListsComeByTurns) {
  const Designs named = canonical_named_designs(Target::cpu);
  EXPECT_EQ(interleave({named[0], named[1]}, {named[2], named[0], named[3]}),
            (Designs{named[0], named[2], named[1], named[3]}));
}

TEST(SampledTimes, AreThoseOfTheShortestRuns) {
  KnownDesigns known;
  Measurement disturbed = timed(lanes(2), 40), quiet = timed(lanes(4), 30);
  disturbed.timing->time_us_min = 20;
  SampledTimes times(whole_nnz);
  times.add({{disturbed.design, disturbed}, {quiet.design, quiet}}, known, sample_nnz);
  const auto us = times.whole_us();
  EXPECT_LT(us.at(planted_design(lanes(2))), us.at(planted_design(lanes(4))));
}

/// Named designs of a GPU. The best of the whole has a long chain of waits: on the sample it takes
/// three times as long as the fastest there.
class PlantedNamed : public testing::Test {
 protected:
  PlantedNamed() {
    for (std::size_t i = 0; i < lines.size(); ++i)
      planted.push_back({lines[i], 0, 3 + 0.1 * static_cast<double>(i)});
    planted[best] = {lines[best], 60, 2};
    planted[behind] = {lines[behind], 0, 9};
  }

  std::size_t place_of(const Designs& designs, std::size_t number) const {
    return std::find(designs.begin(), designs.end(), named[number]) - designs.begin();
  }

  const std::vector<std::string> lines = named_lines(Target::gpu);
  const Designs named = canonical_named_designs(Target::gpu);
  const std::size_t best = 7, behind = 3;
  std::vector<Planted> planted;
  KnownDesigns known;
};

TEST_F(PlantedNamed, TheBestOfTheWholeComesFirstOnceTwoSamplesTellIt) {
  const Outcomes outcomes = planted_outcomes(planted, sample_nnz);
  const auto one = planted_times(planted, known, {sample_nnz});
  const Designs first = promoted_designs(outcomes, known, one.whole_us(), 8, named);
  EXPECT_EQ(place_of(first, best), first.size()) << "one sample does not tell";
  const Designs again = designs_to_time_again(first, one.whole_us(), named);
  EXPECT_LT(place_of(again, best), again.size());
  const auto two = planted_times(planted, known, {sample_nnz, sample_nnz / 2});
  EXPECT_EQ(place_of(promoted_designs(outcomes, known, two.whole_us(), 8, named), best), 0u);
}

TEST_F(PlantedNamed, NoneIsLeftOutBeforeItsFixedPartIsKnown) {
  const auto one = planted_times(planted, known, {sample_nnz});
  EXPECT_EQ(place_of(named_to_try(one, named, {}, false), best), named.size() - 2)
      << "twice as slow on the sample: left out, as is the other";
  EXPECT_EQ(named_to_try(one, named, {}, true), named);
  SampledTimes two = one;
  for (const std::size_t number : {best, behind})
    two.add(planted_outcomes({planted[number]}, sample_nnz / 2), known, sample_nnz / 2);
  const Designs wanted = named_to_try(two, named, {}, true);
  EXPECT_LT(place_of(wanted, best), wanted.size());
  EXPECT_EQ(place_of(wanted, behind), wanted.size()) << "720 us, the best takes 220";
}

TEST_F(PlantedNamed, BothNamedAndFastOnesAreTimedAgainByTurns) {
  const auto one = planted_times(planted, known, {sample_nnz});
  const Designs promoted = {named[5], planted_design(lanes(2))};
  const Designs again = designs_to_time_again(promoted, one.whole_us(), named);
  EXPECT_EQ(again.size(), named.size() + 1);
  EXPECT_EQ(again[0], named[0]) << "the fastest named one on the sample";
  EXPECT_EQ(again[1], named[5]);
  EXPECT_EQ(again[3], planted_design(lanes(2)));
}

}  // namespace
}  // namespace alphasparse
