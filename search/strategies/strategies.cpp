#include "search/strategies/strategies.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "search/estimates/sample.h"
#include "search/strategies/lists.h"

namespace alphasparse {

namespace {

constexpr std::int64_t designs_least = 128;  // without a gain, before a search is exhausted

struct Strategy {
  const char* name;
  MakeProposer make;
  bool is_alone = false;  ///< no other proposes beside it
};

constexpr std::array<Strategy, 9> strategies = {{{"warm", warm_strategy},
                                                 {"prior", prior_strategy},
                                                 {"named", named_strategy},
                                                 {"mixed", mixed_strategy},
                                                 {"compact", compact_strategy},
                                                 {"grid", grid_strategy},
                                                 {"structure", structure_strategy},
                                                 {"fine", fine_strategy},
                                                 {"chance", chance_strategy, true}}};

/// Strategies that propose before all others come first.
std::vector<Proposer> make_proposers(StrategyContext& context, const Designs& first,
                                     const StrategiesOptions& options) {
  context.fine.add_prior(options.warm.rows, options.warm.only_designs());
  if (!options.parts.chance) context.lists = design_lists(context.matrix, first, options);
  std::vector<Proposer> proposers;
  for (const Strategy& strategy : strategies) {
    if (strategy.is_alone != options.parts.chance) continue;
    std::optional<Proposer> proposer = strategy.make(context, options);
    if (!proposer) continue;
    proposer->name = strategy.name;
    proposers.push_back(std::move(*proposer));
  }
  std::stable_partition(proposers.begin(), proposers.end(),
                        [](const Proposer& proposer) { return proposer.first; });
  return proposers;
}

SearchLimits make_limits(const StrategiesOptions& options) {
  SearchLimits limits;
  limits.unmodelled = options.is_measured;
  limits.values_vary = options.values_vary;
  limits.is_team = options.is_team;
  limits.may_round = options.may_round;
  limits.own_order = options.own_order;
  limits.vectors = options.vectors;
  limits.prunes = options.parts.prunes;
  return limits;
}

FineGridOptions fine_options(const StrategiesOptions& options, const StrategyContext& context) {
  FineGridOptions fine;
  fine.seed = options.seed;
  fine.with_model = options.parts.model;
  fine.legal = [&context](const CanonicalDesign& design) {
    return context.fitting.fits(design) && context.is_legal(design);
  };
  return fine;
}

PortfolioOptions portfolio_options(const StrategiesOptions& options) {
  PortfolioOptions shares;
  shares.seed = options.seed;
  return shares;
}

}  // namespace

Strategies::Strategies(const Matrix& matrix, const Designs& first, const StrategiesOptions& options)
    : part_(part_to_apply(matrix)),
      designer_(part_ ? *part_ : matrix, options.target),
      features_(options.features ? *options.features : compute_features(matrix)),
      space_{designer_, features_, make_limits(options), &prunes_, &experience_, options.deadline},
      fitting_(row_facts(matrix.row_first)),
      fine_(row_facts(matrix.row_first), features_, csr_bytes(matrix, options.dtype), known_,
            fine_options(options, context_)),
      context_{matrix, known_, designer_, space_, fine_, experience_, fitting_},
      portfolio_(make_proposers(context_, first, options), portfolio_options(options)) {}

void Strategies::learn(const Outcomes& outcomes, KnownDesigns& known) {
  for (const auto& [text, outcome] : outcomes) {
    if (const CanonicalDesign* const design = known.find(text)) learn(*design, outcome);
  }
}

void Strategies::learn(const CanonicalDesign& design, const Measurement& outcome) {
  known_.add(design);
  if (outcome.verified || outcome.counted) fitting_.know(design);
  portfolio_.learn(design, outcome);
}

bool Strategies::is_exhausted() const {
  const std::int64_t since = portfolio_.verified_since_gain();
  return since > designs_least + (portfolio_.verified() - since);
}

}  // namespace alphasparse
