#include "search/search_ways.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "operators/catalogue.h"
#include "operators/compact_passes.h"
#include "operators/named_designs.h"
#include "operators/parameter_grid.h"
#include "search/candidates.h"
#include "search/grids.h"
#include "search/growth.h"
#include "search/kept_model.h"

namespace alphasparse {

namespace {

constexpr std::int64_t designs_least = 64;  // without a gain, before a search is exhausted

/// The design with the optimizer's passes: by the fewest bytes, by what is decoded with the fewest
/// instructions, and by deltas.
std::vector<std::string> compacted(const std::string& line, bool values_vary) {
  std::vector<std::string> designs;
  for (const char* const passes :
       {"compact", "compact columns=narrow structure=narrow", "compact columns=deltas"}) {
    Step step = parse_design(passes)->steps.front();
    if (values_vary) step.parameters.push_back({"values", "full"});
    const auto design = canonical_design(with_compact(*parse_design(line), step));
    CHECK(design.ok());
    designs.push_back(print_design(*design));
  }
  return designs;
}

/// Each once, in order.
Proposer listed(const char* name, std::vector<std::string> designs) {
  Proposer named;
  named.name = name;
  named.first = true;
  named.propose = [designs = std::move(designs), next = std::size_t{0}](const Outcomes& outcomes,
                                                                        std::size_t count) mutable {
    std::vector<std::string> batch;
    for (; next < designs.size() && batch.size() < count; ++next) {
      if (!outcomes.contains(designs[next])) batch.push_back(designs[next]);
    }
    return batch;
  };
  return named;
}

SearchLimits limits_of(const SearchWaysOptions& options) {
  SearchLimits limits;
  limits.unseen = options.is_measured;
  limits.values_vary = options.values_vary;
  return limits;
}

}  // namespace

SearchWays::SearchWays(const Matrix& matrix, std::vector<std::string> first,
                       const SearchWaysOptions& options)
    : designer_(matrix),
      features_(options.features ? *options.features : features_of(matrix)),
      space_{designer_, features_, limits_of(options)} {
  AnnealingOptions annealing;
  annealing.seed = options.seed;
  annealing_ = std::make_unique<Annealing>(space_, annealing);
  FineGridOptions fine;
  fine.seed = options.seed;
  fine.legal = [this](const std::string& design) { return is_legal(design); };
  fine_ = std::make_unique<FineGrid>(matrix, csr_bytes(matrix, options.dtype), fine);
  fine_->add_prior(options.warm.rows, options.warm.design_texts());

  Proposer grid;
  grid.name = "grid";
  grid.propose =
      [candidates = std::make_shared<Candidates>(
           first, [&matrix](const std::string& design) { return coarse_variants(design, matrix); },
           [vary = options.values_vary](const std::string& design) {
             return compacted(design, vary);
           })](const Outcomes& outcomes, std::size_t count) {
        return candidates->next(outcomes, count);
      };
  Proposer structure;
  structure.name = "structure";
  structure.propose = [this](const Outcomes& outcomes, std::size_t count) {
    std::vector<std::string> designs;
    while (designs.size() < count) {
      std::optional<std::string> design = annealing_->propose(outcomes);
      if (!design) break;
      designs.push_back(std::move(*design));
    }
    return designs;
  };
  structure.learn = [this](const Measurement& outcome) { annealing_->learn(outcome); };
  Proposer tuned;
  tuned.name = "fine";
  tuned.propose = [this](const Outcomes& outcomes, std::size_t count) {
    return fine_->propose(count, outcomes);
  };
  tuned.learn = [this](const Measurement& outcome) { fine_->learn(outcome); };
  PortfolioOptions shares;
  shares.seed = options.seed;
  std::vector<Proposer> ways = {listed("named", std::move(first)), grid, structure, tuned};
  if (!options.warm.designs.empty())
    ways.insert(ways.begin(), listed("warm", options.warm.design_texts()));
  portfolio_ = std::make_unique<Portfolio>(std::move(ways), shares);
}

void SearchWays::learn(const Outcomes& outcomes) {
  for (const auto& [design, outcome] : outcomes) portfolio_->learn(outcome);
}

void SearchWays::use_model(const StoredModel& stored) {
  Result<Surrogate> model = surrogate_of(stored);
  if (model)
    fine_->use_model(std::move(*model));
  else
    spdlog::debug("the problem's model in the database is not used: {}", model.reason());
}

std::optional<StoredModel> SearchWays::model() const {
  if (!fine_->model()) return std::nullopt;
  Result<StoredModel> stored = kept_model(*fine_->model(), fine_->model_rows());
  if (stored) return std::move(*stored);
  spdlog::debug("the model of times is not kept: {}", stored.reason());
  return std::nullopt;
}

/// Whether a trial of it could tell anything.
bool SearchWays::is_legal(const std::string& design) {
  const Result<Design> parsed = parse_design(design);
  if (!parsed) return false;
  bool seen = true;
  for_each_step(*parsed, [&](const Step& step) {
    for (const Parameter& parameter : step.parameters) {
      seen = seen && (space_.limits.unseen || !is_unseen(step.op, parameter.name));
    }
  });
  if (!seen) return false;
  const std::optional<Design> settled = settle(space_, *parsed);
  return settled && print_design(*settled) == design;
}

bool SearchWays::is_exhausted() const {
  const std::int64_t since = portfolio_->verified_since_gain();
  return since > designs_least + (portfolio_->verified() - since);
}

}  // namespace alphasparse
