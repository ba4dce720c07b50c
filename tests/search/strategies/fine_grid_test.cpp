// fine_grid_test: proposals on the fine grids, and how soon they find the best of made-up times.
#include "search/strategies/fine_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "search/learning/design_features.h"
#include "tests/support/landscape.h"
#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

constexpr std::size_t batch_size = 16;

using Names = std::vector<std::string>;
using Measure = std::function<Measurement(const std::string&)>;

FineGrid grid_on(const Matrix& matrix, std::int64_t csr_bytes, KnownDesigns& known,
                 FineGridOptions options) {
  return {row_facts(matrix.row_first), compute_features(matrix), csr_bytes, known,
          std::move(options)};
}

/// A grid without a search around it.
struct LoneGrid {
  KnownDesigns known = {};
  FineGrid grid;

  explicit LoneGrid(FineGridOptions options)
      : grid(grid_on(landscape_matrix(), 1000, known, std::move(options))) {}

  void learn(const Measurement& outcome) { grid.learn(made_up(outcome.design), outcome); }
  Names propose(std::size_t batch, const Outcomes& outcomes) {
    return list_texts(grid.propose(batch, outcomes));
  }
};

/// A search on made-up times, as a tuning loop would run it.
struct Search {
  KnownDesigns known = {};
  FineGrid grid;
  Outcomes outcomes;
  Measure measure;

  explicit Search(FineGridOptions options, Measure time = landscape_measurement)
      : grid(grid_on(landscape_matrix(), 100000, known, std::move(options))),
        measure(std::move(time)) {
    for (const std::string& line : landscape_structures()) take(line);
    const Designs coarse =
        coarse_variants(made_up(landscape_structures().front()), landscape_matrix(), 10);
    for (const CanonicalDesign& design : coarse) take(design.text());
  }

  void take(const std::string& design) {
    outcomes[design] = measure(design);
    grid.learn(made_up(design), outcomes[design]);
  }

  Names propose() { return list_texts(grid.propose(batch_size, outcomes)); }

  Names step(std::size_t batch = batch_size) {
    const Names designs = list_texts(grid.propose(batch, outcomes));
    for (const std::string& design : designs) take(design);
    return designs;
  }

  double best_us() const {
    double best = 1e300;
    for (const auto& [design, outcome] : outcomes) {
      if (outcome.timing) best = std::min(best, *landscape_us(design));
    }
    return best;
  }

  /// Designs measured until one is within 5 % of the best that there is; `most` where none was.
  std::size_t trials_to_the_best(std::size_t most) {
    while (outcomes.size() < most && best_us() > 1.05 * landscape_best_us) {
      if (step().empty()) break;
    }
    return best_us() > 1.05 * landscape_best_us ? most : outcomes.size();
  }
};

std::string made_up_structure(const std::string& design) { return made_up(design).structure(); }

FineGridOptions seeded(std::uint64_t seed) {
  FineGridOptions options;
  options.seed = seed;
  return options;
}

/// The names of a structure's parameters that differ.
int parameters_changed(const std::string& a, const std::string& b) {
  const Design left = *parse_design(a), right = *parse_design(b);
  int changed = 0;
  for (std::size_t i = 0; i < left.steps.size(); ++i) {
    const Arguments of_left = *check_arguments(left.steps[i]);
    const Arguments of_right = *check_arguments(right.steps[i]);
    for (const ParameterSpec& spec : find_operator(left.steps[i].op)->parameters) {
      if (!of_left.has(spec.name)) continue;
      changed += of_left.text(spec.name) != of_right.text(spec.name);
    }
  }
  return changed;
}

TEST(FineGrid, NeverProposesWhatIsKnown) {
  for (const bool with_model : {true, false}) {
    FineGridOptions options = seeded(1);
    options.with_model = with_model;
    Search search(options);
    std::set<std::string> seen;
    for (const auto& [design, outcome] : search.outcomes) seen.insert(design);
    for (int batch = 0; batch < 12; ++batch) {
      const std::vector<std::string> designs = search.step();
      EXPECT_EQ(designs.size(), batch_size);
      for (const std::string& design : designs) {
        EXPECT_TRUE(seen.insert(design).second) << design;
        EXPECT_EQ(print_design(*canonical_design(*parse_design(design))), design);
      }
    }
  }
}

TEST(FineGrid, WhatIsProposedAndNotMeasuredIsNotProposedAgain) {
  Search search(seeded(1));
  const std::vector<std::string> first = search.propose();
  const std::vector<std::string> second = search.propose();
  for (const std::string& design : second) {
    EXPECT_EQ(std::count(first.begin(), first.end(), design), 0) << design;
  }
}

TEST(FineGrid, StaysWithinVerifiedStructures) {
  Search search(seeded(2));
  std::set<std::string> structures;
  for (const std::string& line : landscape_structures()) structures.insert(made_up_structure(line));
  std::set<std::string> proposed;
  for (int batch = 0; batch < 6; ++batch) {
    for (const std::string& design : search.step()) proposed.insert(made_up_structure(design));
  }
  EXPECT_EQ(proposed, structures);
}

TEST(FineGrid, NoStructureTakesAllOfTheModelsPlaces) {
  Search search(seeded(6));
  for (int batch = 0; batch < 8; ++batch) {
    std::map<std::string, std::size_t> of_structure;
    for (const std::string& design : search.step()) ++of_structure[made_up_structure(design)];
    EXPECT_EQ(of_structure.size(), 2u);
    for (const auto& [structure, count] : of_structure) EXPECT_GE(count, 2u) << structure;
  }
}

TEST(FineGrid, AQuarterChangesOneParameterOfTheBestThree) {
  for (const bool with_model : {true, false}) {
    FineGridOptions options = seeded(3);
    options.with_model = with_model;
    Search search(options);
    for (int batch = 0; batch < 4; ++batch) search.step();
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [design, outcome] : search.outcomes) {
      if (outcome.timing) order.push_back({outcome.timing->time_us, design});
    }
    std::sort(order.begin(), order.end());
    std::size_t neighbours = 0;
    for (const std::string& design : search.propose()) {
      bool beside = false;
      for (std::size_t i = 0; i < 3; ++i) {
        beside |= made_up_structure(design) == made_up_structure(order[i].second) &&
                  parameters_changed(design, order[i].second) == 1;
      }
      neighbours += beside;
    }
    EXPECT_GE(neighbours, batch_size / 4);
  }
}

TEST(FineGrid, WhatIsNotLegalIsNotProposed) {
  FineGridOptions options = seeded(4);
  options.legal = [](const CanonicalDesign& design) {
    return design.text().find("streamed") == std::string::npos;
  };
  Search search(options);
  for (int batch = 0; batch < 6; ++batch) {
    for (const std::string& design : search.step()) {
      EXPECT_EQ(design.find("streamed"), std::string::npos);
    }
  }
}

TEST(FineGrid, EndsWhereAllIsKnown) {
  FineGridOptions options = seeded(4);
  options.legal = [](const CanonicalDesign& design) {
    return parameters_changed(design.text(), landscape_structures()[0]) <= 1;
  };
  LoneGrid lone(options);
  Outcomes outcomes;
  const std::string line = landscape_structures()[0];
  outcomes[line] = landscape_measurement(line);
  std::size_t count = 0, neighbours = 0;
  const RowFacts rows = row_facts(landscape_matrix().row_first);
  for (const FineAxis& axis : fine_axes(*parse_design(line), rows)) {
    neighbours += axis.values.size() - 1;
  }
  for (int batch = 0; batch < 1000 && count < neighbours; ++batch) {
    for (const std::string& design : lone.propose(batch_size, outcomes)) {
      outcomes[design] = landscape_measurement(design);
      ++count;
    }
  }
  EXPECT_EQ(count, neighbours);
  EXPECT_GE(neighbours, 4u + 15u) << "other lanes, other threads";
  EXPECT_TRUE(lone.propose(batch_size, outcomes).empty());
}

TEST(FineGrid, ProposesNothingWhereNothingIsVerified) {
  LoneGrid lone(seeded(1));
  Outcomes outcomes;
  EXPECT_TRUE(lone.propose(batch_size, outcomes).empty());
  outcomes["compress | launch threads=32"].status = Status::pruned;
  EXPECT_TRUE(lone.propose(batch_size, outcomes).empty());
}

TEST(FineGrid, TheSameSeedProposesTheSame) {
  for (const bool with_model : {true, false}) {
    std::vector<std::vector<std::string>> runs;
    for (const std::uint64_t seed : {7, 7, 8}) {
      FineGridOptions options = seeded(seed);
      options.with_model = with_model;
      Search search(options);
      std::vector<std::string>& all = runs.emplace_back();
      for (int batch = 0; batch < 5; ++batch) {
        const std::vector<std::string> designs = search.step();
        all.insert(all.end(), designs.begin(), designs.end());
      }
    }
    EXPECT_EQ(runs[0], runs[1]);
    EXPECT_NE(runs[0], runs[2]);
  }
}

TEST(FineGrid, SaysWhyThereIsNoModel) {
  LoneGrid lone(seeded(1));
  Outcomes outcomes;
  const std::string line = landscape_structures()[0];
  outcomes[line] = landscape_measurement(line);
  lone.learn(outcomes[line]);
  EXPECT_EQ(lone.propose(4, outcomes).size(), 4u);
  EXPECT_FALSE(lone.grid.state().has_model);
  EXPECT_EQ(lone.grid.state().no_model_reason, "too few times are known yet");
}

/// The rows of a search that found the best, on another matrix, where everything takes three times
/// as long.
struct GridPrior {
  std::vector<TrainingRow> rows;
  Designs designs;  ///< the fastest
};

GridPrior make_prior() {
  Search other(seeded(99));
  EXPECT_LT(other.trials_to_the_best(480), 480u);
  const DesignFeatures features(compute_features(landscape_matrix()), 100000);
  GridPrior prior;
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [design, outcome] : other.outcomes) {
    prior.rows.push_back({*features.of(made_up(design).tree()), {}, 1, 1});
    if (!outcome.timing) continue;
    prior.rows.back().time_us = 3 * outcome.timing->time_us;
    order.push_back({outcome.timing->time_us, design});
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < 20; ++i) prior.designs.push_back(made_up(order[i].second));
  return prior;
}

TEST(FineGrid, LearnsFailuresAndIgnoresDuplicates) {
  LoneGrid lone(seeded(1));
  Measurement outcome = landscape_measurement(landscape_structures()[0]);
  lone.learn(outcome);
  lone.learn(outcome);
  EXPECT_EQ(lone.grid.state().own_rows, 1u);
  outcome.design = landscape_structures()[1];
  outcome.status = Status::duplicate;
  lone.learn(outcome);
  EXPECT_EQ(lone.grid.state().own_rows, 1u);
  outcome.status = Status::crash;
  outcome.timing.reset();
  lone.learn(outcome);
  EXPECT_EQ(lone.grid.state().own_rows, 2u);
  outcome.design = "unknown";  // to the catalogue
  lone.learn(outcome);
  EXPECT_EQ(lone.grid.state().own_rows, 2u);
}

/// A time that says nothing of the design.
Measurement senseless(const std::string& design) {
  Measurement measurement = landscape_measurement(design);
  if (measurement.timing) {
    const double fraction = std::fmod(measurement.timing->time_us * 1e9, 1000.0) / 1000;
    measurement.timing->time_us = 10 * std::exp2(2 * fraction);
  }
  return measurement;
}

TEST(FineGrid, WhereTimesMakeNoSenseChanceTakesOverAndGivesBack) {
  double correlations = 0, shares = 0;
  constexpr int batches = 12;
  Search search(seeded(11), senseless);
  for (int batch = 0; batch < batches; ++batch) {
    search.step();
    correlations += search.grid.state().rank_correlation.value_or(0) / batches;
    shares += search.grid.state().random_share / batches;
  }
  EXPECT_LT(std::abs(correlations), 0.25);
  EXPECT_GT(shares, 0.25) << "the least is 1/8";
  const std::vector<ModelVerdict> verdicts = search.grid.state().verdicts;
  ASSERT_GE(verdicts.size(), 8u) << "one a batch that was ranked";
  EXPECT_EQ(verdicts.back().rank_correlation, search.grid.state().rank_correlation.value_or(0));
  EXPECT_EQ(verdicts.back().random_share, search.grid.state().random_share);
  // Now times do make sense, those that were taken before included.
  search.measure = landscape_measurement;
  for (const auto& [design, outcome] : Outcomes(search.outcomes)) search.take(design);
  double least = 1;
  for (int batch = 0; batch < batches; ++batch) {
    search.step();
    least = std::min(least, search.grid.state().random_share);
  }
  EXPECT_EQ(least, 1.0 / 8);
}

TEST(FineGrid, TrainsAnewWhenRowsAreATenthMore) {
  Search search(seeded(5));
  while (search.grid.state().own_rows < 100) search.step();
  search.step(1);
  const std::size_t seen = search.grid.model_rows();
  EXPECT_GE(seen, 100u);
  std::size_t own = search.grid.state().own_rows;
  while (own < seen + seen / 10) {
    search.step(1);
    EXPECT_EQ(search.grid.model_rows(), seen) << "with " << own;
    own = search.grid.state().own_rows;
  }
  search.step(1);
  EXPECT_EQ(search.grid.model_rows(), own);
  search.grid.add_prior(make_prior().rows);
  search.step(1);
  EXPECT_GT(search.grid.model_rows(), own + 1) << "prior rows count at once";
}

TEST(FineGrid, PriorRowsFadeAsOwnRowsCome) {
  Search search(seeded(5));
  const std::vector<TrainingRow> rows = make_prior().rows;
  search.grid.add_prior(rows);
  search.step();
  EXPECT_EQ(search.grid.state().prior_rows, rows.size());
  while (search.grid.state().own_rows < 300) search.step();  // 2^(-277 / 64) is below 0.05
  search.step();
  EXPECT_EQ(search.grid.state().prior_rows, 0u);
}

std::size_t median(std::vector<std::size_t> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class Prepare>
std::size_t median_trials(const Prepare& prepare) {
  constexpr std::size_t trials_most = 400;
  std::vector<std::size_t> trials;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    FineGridOptions options = seeded(seed);
    GridPrior prior;
    prepare(options, prior);
    Search search(options);
    search.grid.add_prior(prior.rows, prior.designs);
    trials.push_back(search.trials_to_the_best(trials_most));
  }
  return median(trials);
}

TEST(FineGrid, GetsOutOfAWrongBasinSoonerThanByChance) {
  const std::size_t portfolio = median_trials([](FineGridOptions&, GridPrior&) {});
  const std::size_t without_model =
      median_trials([](FineGridOptions& options, GridPrior&) { options.with_model = false; });
  const std::size_t chance = median_trials([](FineGridOptions& options, GridPrior&) {
    options.random_share_least = options.random_share_most = 1;
    options.with_model = false;
  });
  const GridPrior known = make_prior();
  const std::size_t warm =
      median_trials([&](FineGridOptions&, GridPrior& prior) { prior = known; });
  printf("trials to 5 %%, median of 9 seeds: portfolio %zu, no model %zu, chance %zu, warm %zu\n",
         portfolio, without_model, chance, warm);
  EXPECT_LT(portfolio, without_model);
  EXPECT_LT(portfolio * 4, chance * 3);
  EXPECT_LT(warm * 4, portfolio * 3);
}

}  // namespace
}  // namespace alphasparse
