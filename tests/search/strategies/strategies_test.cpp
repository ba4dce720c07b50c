// strategies_test: the strategies of a search together, on times that a script makes up.
#include "search/strategies/strategies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "operators/compact_passes.h"
#include "operators/named_designs.h"
#include "search/learning/design_features.h"
#include "search/strategies/lists.h"
#include "search/strategies/mixed_designs.h"
#include "tests/support/battery.h"
#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

using Names = std::vector<std::string>;

/// Few steps are fast, and many threads.
double scripted_us(const std::string& design) {
  double us = 10 + 0.05 * static_cast<double>(design.size());
  if (design.find("threads=512") != std::string::npos) us *= 0.8;
  return us;
}

const char* const first_named =
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";

struct StrategiesScript {
  explicit StrategiesScript(const Matrix& matrix, std::uint64_t seed = 0,
                            const Names& first = {first_named})
      : strategies(matrix, made_up_designs(first), {seed, Dtype::f32, false, false}) {}

  /// Tries proposals, at most `most` designs.
  void run(std::size_t most, const std::function<double(const std::string&)>& time_us) {
    while (order.size() < most && !strategies.is_exhausted()) {
      const Names batch = list_texts(strategies.portfolio().propose(outcomes, 4));
      if (batch.empty()) break;
      for (const std::string& design : batch) {
        order.push_back(design);
        Measurement outcome;
        outcome.design = design;
        outcome.verified = true;
        outcome.timing.emplace().time_us = time_us(design);
        strategies.learn(made_up(outcome.design), outcome);
        outcomes.emplace(design, outcome);
      }
    }
  }

  Strategies strategies;
  Outcomes outcomes;
  Names order;
};

TEST(Strategies, EachProposesLegalDesignsOnce) {
  const Matrix matrix = battery_matrix("power_law");
  StrategiesScript script(matrix);
  script.run(150, scripted_us);
  EXPECT_EQ(script.order.front(), first_named);
  EXPECT_EQ(std::set<std::string>(script.order.begin(), script.order.end()).size(),
            script.order.size());
  Designer designer(matrix);
  std::set<std::string> origins;
  for (const std::string& design : script.order) {
    origins.insert(script.strategies.portfolio().find_origin(design));
    const Result<Kernel> kernel = designer.build(design, Dtype::f32);
    EXPECT_TRUE(kernel.ok()) << design << ": " << kernel.reason();
  }
  EXPECT_EQ(origins,
            (std::set<std::string>{"named", "mixed", "compact", "grid", "structure", "fine"}));
}

TEST(Strategies, WhenNobodyWaitsOnlyTheFirstAreProposed) {
  const Matrix matrix = battery_matrix("power_law");
  const std::atomic<bool> stop = true;
  const Deadline deadline{{}, &stop};
  StrategiesOptions options;
  options.deadline = &deadline;
  Strategies strategies(matrix, made_up_designs({first_named}), options);
  Outcomes outcomes;
  EXPECT_EQ(list_texts(strategies.portfolio().propose(outcomes, 4)), Names{first_named});
  Measurement& outcome = outcomes[first_named];
  outcome.design = first_named;
  outcome.verified = true;
  outcome.timing.emplace().time_us = 10;
  strategies.learn(made_up(outcome.design), outcome);
  EXPECT_EQ(list_texts(strategies.portfolio().propose(outcomes, 4)), Names{});
}

TEST(Strategies, TheSameSeedProposesTheSame) {
  const Matrix matrix = battery_matrix("power_law");
  StrategiesScript first(matrix, 3), second(matrix, 3), other(matrix, 4);
  for (StrategiesScript* const script : {&first, &second, &other}) script->run(60, scripted_us);
  EXPECT_EQ(first.order, second.order);
  EXPECT_NE(first.order, other.order);
}

TEST(Strategies, NamedThenMixedThenCompactedComeBeforeAllGrids) {
  const Matrix matrix = battery_matrix("power_law");
  StrategiesScript script(matrix);
  script.run(60, scripted_us);
  std::vector<std::string> strategies;
  for (const std::string& design : script.order) {
    std::string origin = script.strategies.portfolio().find_origin(design);
    if (strategies.empty() || strategies.back() != origin) strategies.push_back(std::move(origin));
  }
  ASSERT_GE(strategies.size(), 4U);
  EXPECT_EQ(strategies[0], "named");
  EXPECT_EQ(strategies[1], "mixed");
  EXPECT_EQ(strategies[2], "compact");
  EXPECT_EQ(std::count(strategies.begin(), strategies.end(), "compact"), 1);
}

TEST(Strategies, ACpuTriesTheOtherGathersOfWhatIsFastAndATeamOneThread) {
  const Matrix matrix = battery_matrix("power_law");
  const std::string fast =
      "sort_rows | compress | warp_rows rows=16 | thread_rows rows=1 | thread_pad | interleave | "
      "thread_total | global_store | launch tasks=bytes";
  StrategiesOptions options;
  options.target = Target::cpu;
  options.is_measured = true;
  options.is_team = true;
  Strategies strategies(matrix, made_up_designs({fast}), options);
  Outcomes outcomes;
  Names others;
  for (int batch = 0; batch < 12; ++batch) {
    for (const std::string& design : list_texts(strategies.portfolio().propose(outcomes, 4))) {
      if (strategies.portfolio().find_origin(design) == "compact") others.push_back(design);
      Measurement& outcome = outcomes[design];
      outcome.design = design;
      outcome.verified = true;
      outcome.timing.emplace().time_us = design == fast ? 1 : 2;
      strategies.learn(made_up(outcome.design), outcome);
    }
  }
  std::string by_hardware = fast;
  by_hardware.insert(by_hardware.find(" | global_store"), " gather=hardware");
  EXPECT_NE(std::find(others.begin(), others.end(), by_hardware), others.end());
  const std::string alone = fast.substr(0, fast.rfind('=') + 1) + "one";
  EXPECT_NE(std::find(others.begin(), others.end(), alone), others.end());
}

TEST(Strategies, OnlyMeasuredTimesOfAGpuTryWideLoadsOfLanes) {
  const Matrix matrix = battery_matrix("power_law");
  const std::string wide = wide_lanes(row_facts(matrix.row_first)).text();
  const auto tries = [&](bool is_measured, Target target) {
    StrategiesOptions options;
    options.is_measured = is_measured;
    options.target = target;
    Strategies strategies(matrix, made_up_designs({}), options);
    Outcomes outcomes;
    for (int batch = 0; batch < 8; ++batch) {
      for (const std::string& design : list_texts(strategies.portfolio().propose(outcomes, 4))) {
        Measurement& outcome = outcomes[design];
        outcome.design = design;
        outcome.verified = true;
        outcome.timing.emplace().time_us = scripted_us(design);
        strategies.learn(made_up(outcome.design), outcome);
      }
    }
    return outcomes.contains(wide);
  };
  EXPECT_TRUE(tries(true, Target::gpu));
  EXPECT_FALSE(tries(false, Target::gpu));
  EXPECT_FALSE(tries(true, Target::cpu));
}

TEST(Strategies, WhatIsExpectedToBeFastComesFirstAndTheRestLate) {
  const Matrix matrix = battery_matrix("power_law");
  const Names named = named_lines();
  StrategiesOptions options;
  // The third of the named ones is their fastest, and yet slow. Among the others the fused ones are
  // the fastest.
  options.expected = [&](const Designs& designs) {
    ExpectedTimes times;
    for (const CanonicalDesign& design : designs) {
      const bool is_fused = design.text().find("fused") != std::string::npos;
      times[design] = design == named[2] ? 50 : is_fused ? 10 : 100;
    }
    return times;
  };
  Strategies strategies(matrix, made_up_designs(named), options);
  Outcomes outcomes;
  Names order;
  while (order.size() < 60) {
    const Names batch = list_texts(strategies.portfolio().propose(outcomes, 4));
    ASSERT_FALSE(batch.empty());
    for (const std::string& design : batch) {
      order.push_back(design);
      Measurement& outcome = outcomes[design];
      outcome.design = design;
      outcome.verified = true;
      outcome.timing.emplace().time_us = scripted_us(design);
      strategies.learn(made_up(outcome.design), outcome);
    }
  }
  const auto origin_of_place = [&](std::size_t place) {
    return strategies.portfolio().find_origin(order[place]);
  };
  std::size_t first = 0;
  while (origin_of_place(first) == "prior") ++first;
  ASSERT_GE(first, 2U);
  for (std::size_t i = 0; i + 1 < first; ++i)
    EXPECT_NE(order[i].find("fused"), std::string::npos) << order[i];
  EXPECT_EQ(order[first - 1], named[2]) << "the best of the named ones, whatever it takes";
  EXPECT_EQ(origin_of_place(first), "compact");
  std::set<std::string> later;
  for (std::size_t i = first; i < order.size(); ++i) later.insert(origin_of_place(i));
  EXPECT_TRUE(later.contains("named"));
  EXPECT_TRUE(later.contains("grid"));
}

/// How many designs come first where all are expected to be as fast.
std::size_t expected_first(const Matrix& matrix, Target target) {
  StrategiesOptions options;
  options.target = target;
  options.expected = [](const Designs& designs) {
    ExpectedTimes times;
    for (const CanonicalDesign& design : designs) times[design] = 10;
    return times;
  };
  Strategies strategies(matrix, canonical_named_designs(target), options);
  Outcomes outcomes;
  std::size_t count = 0;
  for (;;) {
    const Names batch = list_texts(strategies.portfolio().propose(outcomes, 1));
    if (batch.empty() || strategies.portfolio().find_origin(batch.front()) != "prior") return count;
    ++count;
    Measurement& outcome = outcomes[batch.front()];
    outcome.design = batch.front();
    outcome.verified = true;
    outcome.timing.emplace().time_us = scripted_us(batch.front());
    strategies.learn(made_up(outcome.design), outcome);
  }
}

TEST(Strategies, OnACpuMoreOfWhatIsExpectedToBeFastComesFirst) {
  const Matrix matrix = battery_matrix("power_law");
  const std::size_t on_gpu = expected_first(matrix, Target::gpu);
  EXPECT_GE(on_gpu, 2U);
  EXPECT_GT(expected_first(matrix, Target::cpu), on_gpu);
}

/// Expectations may be wrong. Where so many are asked for, as on a sample, named designs come early
/// that are not far behind.
TEST(Strategies, MoreNamedDesignsComeEarlyWhereTheyAreAskedFor) {
  const Designs named = canonical_named_designs(Target::cpu);
  const Matrix matrix = battery_matrix("power_law");
  const auto early_named = [&](std::size_t more) {
    StrategiesOptions options;
    options.target = Target::cpu;
    options.more_named = more;
    options.expected = [&](const Designs& designs) {
      ExpectedTimes times;
      for (const CanonicalDesign& design : designs) {
        const bool is_named = std::find(named.begin(), named.end(), design) != named.end();
        times[design] = design == named[3] ? 31 : is_named ? 25 : 10;
      }
      return times;
    };
    const Designs early = design_lists(matrix, named, options).early;
    return std::count_if(early.begin(), early.end(), [&](const CanonicalDesign& design) {
      return std::find(named.begin(), named.end(), design) != named.end();
    });
  };
  EXPECT_EQ(early_named(1000), static_cast<std::ptrdiff_t>(named.size()) - 1);
  EXPECT_EQ(early_named(3), 4) << "the best of them comes anyway";
  EXPECT_EQ(early_named(0), 1);
}

/// A design that holds these values alone would be built, and then refused.
TEST(Strategies, ListsHaveDesignsForAnyValuesWhereValuesVary) {
  const Matrix matrix = battery_matrix("power_law");
  const RowOrders orders = {"rcm", "columns"};
  for (const Target target : {Target::gpu, Target::cpu}) {
    StrategiesOptions options;
    options.target = target;
    options.row_orders = &orders;
    const auto for_any = [&](bool values_vary) {
      options.values_vary = values_vary;
      std::ptrdiff_t count = 0;
      const Designs mixed = design_lists(matrix, canonical_named_designs(target), options).mixed;
      for (const CanonicalDesign& design : mixed) {
        if (design.text().starts_with("reorder")) count += takes_any_values(design.tree());
      }
      return count;
    };
    const auto all = static_cast<std::ptrdiff_t>(reordered_designs(orders, target).size());
    EXPECT_EQ(for_any(true), all);
    EXPECT_EQ(for_any(false), target == Target::cpu ? all : 0);
  }
}

TEST(Strategies, ASearchWithoutGainsEnds) {
  const Matrix matrix = battery_matrix("power_law");
  StrategiesScript script(matrix);
  script.run(1000, [](const std::string&) { return 10.0; });
  EXPECT_TRUE(script.strategies.is_exhausted());
  EXPECT_GE(script.order.size(), 128U);
  EXPECT_LE(script.order.size(), 144U);
}

/// The design of a row a thread, with some words of thread_total.
std::string rows_with(const std::string& words) {
  return "compress | thread_rows rows=1 | thread_total " + words +
         " | global_store | launch threads=256";
}

enum class Seen { verified, counted, failed };

Measurement seen(const std::string& design, Seen how) {
  Measurement outcome = timed(design, 10, how == Seen::failed ? Status::launch_error : Status::ok);
  outcome.verified = how == Seen::verified;
  outcome.counted = how == Seen::counted;
  return outcome;
}

using Lessons = std::vector<Measurement>;

/// Whether vector=4 is proposed, which fits no row of few entries, around a fast design with
/// batch=8. The matrix has no entries and takes it: only the lessons speak against it.
bool is_unfit_proposed(const Lessons& lessons, Seen fast = Seen::verified) {
  const Matrix matrix = battery_matrix("all_empty");
  StrategiesOptions options;
  options.is_measured = true;  // words are varied that a model does not see
  options.parts.grid = options.parts.structure = options.parts.model = false;
  Outcomes outcomes = {{rows_with("batch=8"), seen(rows_with("batch=8"), fast)}};
  Strategies strategies(matrix, made_up_designs({rows_with("batch=8")}), options);
  for (const Measurement& lesson : lessons)
    strategies.learn(CanonicalDesign::read(lesson.design).value(), lesson);
  std::set<std::string> proposed;
  for (int batch = 0; batch < 64; ++batch) {
    for (const std::string& text : list_texts(strategies.portfolio().propose(outcomes, 8))) {
      proposed.insert(text);
      outcomes[text] = seen(text, Seen::failed);
    }
  }
  EXPECT_GT(proposed.size(), 20u);
  return proposed.contains(rows_with("vector=4 batch=8"));
}

TEST(Strategies, CountedOutcomesTeachTheParametersThatFitAsVerifiedOnesDo) {
  for (const Seen how : {Seen::verified, Seen::counted}) {
    EXPECT_TRUE(is_unfit_proposed({}, how)) << "nothing is known of its structure";
    EXPECT_FALSE(is_unfit_proposed({seen(rows_with("batch=8"), how)}, how));
  }
}

/// A structure is known by its outcomes of both kinds together: one that the specimen refuses, and
/// a sample or the matrix takes, says that the specimen tells nothing. A failure says nothing.
TEST(Strategies, CountedAndVerifiedOutcomesOfAStructureTeachTogether) {
  const std::string fits = rows_with("batch=8"), does_not = rows_with("vector=4 batch=4");
  const auto both = [&](Seen one, Seen other) {
    return Lessons{seen(fits, one), seen(does_not, other)};
  };
  EXPECT_TRUE(is_unfit_proposed(both(Seen::verified, Seen::counted)));
  EXPECT_TRUE(is_unfit_proposed(both(Seen::counted, Seen::verified)));
  for (const Seen how : {Seen::verified, Seen::counted})
    EXPECT_FALSE(is_unfit_proposed(both(how, Seen::failed)));
}

TEST(Strategies, WhatIsKnownTeaches) {
  const Matrix matrix = battery_matrix("power_law");
  StrategiesScript before(matrix);
  before.run(40, scripted_us);
  StrategiesScript after(matrix);
  after.outcomes = before.outcomes;
  KnownDesigns known;
  after.strategies.learn(before.outcomes, known);
  after.run(20, scripted_us);
  for (const std::string& design : after.order) EXPECT_FALSE(before.outcomes.contains(design));
  EXPECT_GT(after.strategies.fine_state().own_rows, 40U);
}

TEST(Strategies, WhatIsKnownFromElsewhereComesFirst) {
  const Matrix matrix = battery_matrix("power_law");
  const std::string named =
      "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";
  const Names seeds = {
      "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=128",
      "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=512"};
  StrategiesOptions options{0, Dtype::f32, false, false};
  for (const std::string& seed : seeds) options.warm.designs.push_back({made_up(seed), "other"});
  Strategies strategies(matrix, made_up_designs({named}), options);
  Outcomes outcomes;
  EXPECT_EQ(list_texts(strategies.portfolio().propose(outcomes, 4)), seeds);
  EXPECT_EQ(strategies.portfolio().find_origin(seeds[1]), "warm");
  EXPECT_EQ(list_texts(strategies.portfolio().propose(outcomes, 4)), (Names{named}))
      << "then the named ones";
}

// Where times are expected, designs from elsewhere have their places among the others.
TEST(Strategies, OneOrderHasWhatIsExpectedAndWhatIsKnownFromElsewhere) {
  const Matrix matrix = battery_matrix("power_law");
  const Designs named = canonical_named_designs(Target::gpu);
  const Names seeds = {
      "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=128",
      "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=512"};
  const auto first_two = [&](std::vector<SimilarTimes> similar) {
    StrategiesOptions options;
    for (const std::string& seed : seeds) options.warm.designs.push_back({made_up(seed), "other"});
    options.warm.similar = std::move(similar);
    options.expected = [&](const Designs& designs) {
      ExpectedTimes times;
      for (const CanonicalDesign& design : designs)
        times[design] = design == named[0] ? 10 : design.text() == seeds[1] ? 11 : 19;
      return times;
    };
    Strategies strategies(matrix, named, options);
    Names designs, origins;
    for (int i = 0; i < 2; ++i) {
      const Names next = list_texts(strategies.portfolio().propose({}, 1));
      designs.insert(designs.end(), next.begin(), next.end());
      origins.push_back(strategies.portfolio().find_origin(next.at(0)));
    }
    return std::pair(designs, origins);
  };
  EXPECT_EQ(first_two({}).second, Names({"prior", "prior"})) << "from far";
  EXPECT_EQ(first_two({{1, {}}}),
            std::pair(Names({named[0].text(), seeds[1]}), Names({"prior", "warm"})));
  const SimilarTimes other{8, {{named[0].text(), 30}, {seeds[1], 11}, {named[1].text(), 19}}};
  EXPECT_EQ(first_two({other}).first.front(), seeds[1]) << "the named one was slow there";
}

TEST(Strategies, ShippedTimesCorrectThePriorAndTheUsersOwnCorrectThem) {
  const Matrix matrix = battery_matrix("power_law");
  const Designs named = canonical_named_designs(Target::gpu);
  const CanonicalDesign listed =
      made_up("compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=512");
  const auto first = [&](std::vector<SimilarTimes> shipped, std::vector<SimilarTimes> own) {
    StrategiesOptions options;
    options.warm.listed = {listed};
    options.warm.shipped = std::move(shipped);
    options.warm.similar = std::move(own);
    options.expected = [&](const Designs& designs) {
      ExpectedTimes times;
      for (const CanonicalDesign& design : designs) times[design] = design == named[0] ? 10 : 19;
      return times;
    };
    Strategies strategies(matrix, named, options);
    return list_texts(strategies.portfolio().propose({}, 1)).at(0);
  };
  const auto times = [&](double of_named, double of_listed) {
    return SimilarTimes{
        30, {{named[0].text(), of_named}, {listed.text(), of_listed}, {named[1].text(), 2}}};
  };
  EXPECT_EQ(first({}, {}), named[0].text());
  EXPECT_EQ(first({times(3, 1)}, {}), listed.text());
  EXPECT_EQ(first({times(3, 1)}, {times(1, 3)}), named[0].text());
}

}  // namespace
}  // namespace alphasparse
