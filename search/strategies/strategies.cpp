#include "search/strategies/strategies.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "operators/catalogue.h"
#include "operators/compact_passes.h"
#include "operators/named_designs.h"
#include "operators/parameter_grid.h"
#include "operators/targets.h"
#include "search/fidelity/sample.h"
#include "search/space/bans.h"
#include "search/space/chains.h"
#include "search/strategies/halving.h"
#include "search/strategies/mixed_designs.h"
#include "search/structure/grids.h"
#include "search/structure/growth.h"

namespace alphasparse {

namespace {

using Legal = std::function<bool(const std::string& design)>;

constexpr std::size_t compacted_structures = 2;  // that are compacted before all grids
constexpr std::int64_t designs_least = 128;      // without a gain, before a search is exhausted
// Of more non-zeros a part is asked whether operators apply: steps of 1e7 take a second each.
constexpr std::int64_t applied_nnz_max = 900'000;
constexpr std::size_t moves_per_place = 12;  // that the model chooses from
// Chances beside those of fine parameters, as their trials have gained on large matrices: a grid's
// half as much, a structure's twice.
constexpr double grid_weight = 0.5, structure_weight = 2;
constexpr double late_weight = 0.5;  // of what is expected to be slow
constexpr double early_reach = 2;    // of the best expected time: what is within it comes first...
constexpr std::size_t early_most = 12;         // ...so many of them...
constexpr std::size_t early_most_on_cpu = 24;  // ...or so many, where the order tells less
constexpr double grid_reach_on_cpu = 1.5;      // of the best time: whose grids may still win
constexpr double grown_share = 0.25;           // of the places of a structure
constexpr double unscreened_share = 0.25;      // of the places, whatever it holds
constexpr int grown_tries = 256;               // before chance counts as used up

/// The optimizer's passes: by the fewest bytes, by what is decoded with the fewest instructions,
/// and by deltas; on a CPU, which has no instructions to spare, by what it loads as it is, and by
/// columns that gangs find in runs.
std::span<const char* const> passes_of(Target target) {
  static constexpr std::array<const char*, 3> on_gpu = {
      "compact", "compact columns=narrow structure=narrow", "compact columns=deltas"};
  static constexpr std::array<const char*, 3> on_cpu = {
      "compact columns=narrow structure=narrow values=full", "compact columns=runs structure=full",
      "compact columns=narrow structure=narrow values=single"};
  if (target == Target::cpu) return on_cpu;
  return on_gpu;
}

/// The design with each of them.
std::vector<std::string> compacted(const std::string& line, bool values_vary, Target target) {
  std::vector<std::string> designs;
  for (const char* const passes : passes_of(target)) {
    Step step = parse_design(passes)->steps.front();
    if (values_vary) set_parameter(step, "values", "full");
    const auto design = canonical_design(with_compact(*parse_design(line), step));
    CHECK(design.ok());
    designs.push_back(print_design(*design));
  }
  designs.erase(std::unique(designs.begin(), designs.end()), designs.end());
  return designs;
}

/// The design whose gangs read x by the hardware's gathers, or by loads where they did; nothing
/// where it has none. Which are faster only a measurement tells.
std::optional<std::string> with_other_gathers(const std::string& line) {
  Design design = *parse_design(line);
  bool has_gathers = false;
  for_each_step(design, [&](Step& step) {
    if (step.op != "thread_total") return;
    const bool by_hardware = check_arguments(step)->word("gather") == "hardware";
    set_parameter(step, "gather", by_hardware ? "lanes" : "hardware");
    has_gathers = true;
  });
  if (!has_gathers) return std::nullopt;
  return print_design(*canonical_design(design));
}

/// The design by one thread alone, and where it has branches with the last of them alone so: a team
/// that wakes up and waits for itself takes as long as a core for some thousand entries.
std::vector<std::string> by_one_thread(const std::string& line) {
  std::vector<std::string> designs;
  const auto add = [&](std::size_t first) {
    Design design = *parse_design(line);
    std::size_t launch = 0;
    for_each_step(design, [&](Step& step) {
      if (step.op == "launch" && launch++ >= first) set_parameter(step, "tasks", "one");
    });
    designs.push_back(print_design(*canonical_design(design)));
    return launch;
  };
  const std::size_t launches = add(0);
  if (launches > 1) add(launches - 1);
  return designs;
}

/// The fastest design of each of the fastest structures.
std::vector<std::string> fastest_structures(const Outcomes& outcomes, std::size_t count) {
  std::set<std::string> structures;
  std::vector<std::string> fastest;
  for (const Measurement* const outcome : by_time(outcomes)) {
    if (fastest.size() == count) break;
    if (structures.insert(structure_of(outcome->design)).second) fastest.push_back(outcome->design);
  }
  return fastest;
}

/// Each once, in order, but those that are not `legal`, which is asked when its turn comes.
Proposer listed(const char* name, std::vector<std::string> designs, const Legal& legal = {}) {
  Proposer named;
  named.name = name;
  named.first = true;
  named.propose = [designs = std::move(designs), next = std::size_t{0}, legal](
                      const Outcomes& outcomes, std::size_t count) mutable {
    std::vector<std::string> batch;
    for (; next < designs.size() && batch.size() < count; ++next) {
      if (outcomes.contains(designs[next]) || (legal && !legal(designs[next]))) continue;
      batch.push_back(designs[next]);
    }
    return batch;
  };
  return named;
}

SearchLimits limits_of(const StrategiesOptions& options) {
  SearchLimits limits;
  limits.unmodelled = options.is_measured;
  limits.values_vary = options.values_vary;
  limits.is_team = options.is_team;
  limits.bans = options.parts.bans;
  return limits;
}

AnnealingOptions annealing_of(const StrategiesOptions& options) {
  AnnealingOptions annealing;
  annealing.seed = options.seed;
  annealing.grown_share = options.parts.growth ? grown_share : 0;
  if (options.target == Target::cpu) annealing.grown_early = 0;
  if (!options.parts.annealing) annealing.hot = annealing.cold = 0;
  return annealing;
}

}  // namespace

Strategies::Strategies(const Matrix& matrix, std::vector<std::string> first,
                       const StrategiesOptions& options)
    : part_(matrix.nnz() > applied_nnz_max ? miniature_of(matrix) : Matrix()),
      designer_(part_.rows > 0 ? part_ : matrix, options.target),
      features_(options.features ? *options.features : features_of(matrix)),
      space_{designer_, features_, limits_of(options), &bans_, &experience_, options.deadline},
      chance_(options.seed, 3) {
  annealing_ = std::make_unique<Annealing>(space_, annealing_of(options));
  FineGridOptions fine;
  fine.seed = options.seed;
  fine.with_model = options.parts.model;
  fine.legal = [this](const std::string& design) { return is_legal(design); };
  fine_ = std::make_unique<FineGrid>(row_facts(matrix.row_first), features_,
                                     csr_bytes(matrix, options.dtype), fine);
  fine_->add_prior(options.warm.rows, options.warm.design_texts());

  PortfolioOptions shares;
  shares.seed = options.seed;
  portfolio_ = std::make_unique<Portfolio>(proposers(matrix, std::move(first), options), shares);
}

std::vector<Proposer> Strategies::proposers(const Matrix& matrix, std::vector<std::string> first,
                                            const StrategiesOptions& options) {
  if (options.parts.chance) return {chance()};
  std::vector<Proposer> all;
  const Legal applies = [this](const std::string& design) { return this->applies(design); };
  if (!options.warm.designs.empty()) all.push_back(listed("warm", options.warm.design_texts()));
  std::vector<std::string> mixed;
  if (options.parts.structure)
    mixed = mixed_designs(first, row_facts(matrix.row_first), options.target);
  std::vector<Proposer> late;
  if (options.expected && options.parts.prior) {
    late = by_expectation(first, mixed, options);
    all.push_back(std::move(late.front()));
    late.erase(late.begin());
  } else {
    all.push_back(listed("named", first));
    if (!mixed.empty()) all.push_back(listed("mixed", mixed, applies));
  }
  if (options.parts.grid) all.push_back(compact());
  all.insert(all.end(), late.begin(), late.end());
  if (options.parts.grid) all.push_back(grid(matrix, options));
  if (options.parts.structure) all.push_back(structure());
  if (options.parts.fine) all.push_back(fine());
  return all;
}

/// Who proposes the designs that are expected to be fast, or of which nothing is known, then who
/// proposes the others.
std::vector<Proposer> Strategies::by_expectation(const std::vector<std::string>& first,
                                                 const std::vector<std::string>& mixed,
                                                 const StrategiesOptions& options) {
  std::vector<std::string> designs = first;
  designs.insert(designs.end(), mixed.begin(), mixed.end());
  const std::map<std::string, double> times = options.expected(designs);
  const auto time_of = [&](const std::string& design) {
    const auto known = times.find(design);
    return known == times.end() ? std::numeric_limits<double>::infinity() : known->second;
  };
  std::stable_sort(designs.begin(), designs.end(),
                   [&](const auto& a, const auto& b) { return time_of(a) < time_of(b); });
  const auto is_named = [&](const std::string& design) {
    return std::find(first.begin(), first.end(), design) != first.end();
  };
  const double reach = designs.empty() ? 0 : early_reach * time_of(designs.front());
  const std::size_t most = options.target == Target::cpu ? early_most_on_cpu : early_most;
  bool has_named = false;
  std::vector<std::string> early, unknown, late_named, late_mixed;
  for (std::string& design : designs) {
    const bool named = is_named(design);
    if (!times.contains(design)) {
      unknown.push_back(std::move(design));
    } else if ((time_of(design) <= reach && early.size() < most) || (named && !has_named)) {
      early.push_back(std::move(design));
      has_named = has_named || named;
    } else {
      (named ? late_named : late_mixed).push_back(std::move(design));
    }
  }
  early.insert(early.end(), unknown.begin(), unknown.end());
  const Legal may_be_tried = [this, first](const std::string& design) {
    return std::find(first.begin(), first.end(), design) != first.end() || applies(design);
  };
  std::vector<Proposer> proposers = {listed("prior", std::move(early), may_be_tried),
                                     listed("named", std::move(late_named)),
                                     listed("mixed", std::move(late_mixed), may_be_tried)};
  for (std::size_t i = 1; i < proposers.size(); ++i) {
    proposers[i].first = false;
    proposers[i].weight = late_weight;
  }
  return proposers;
}

Proposer Strategies::grid(const Matrix& matrix, const StrategiesOptions& options) {
  Proposer grid;
  grid.name = "grid";
  grid.weight = grid_weight;
  const auto halving = std::make_shared<Halving>(
      structure_of,
      [&matrix](const std::string& design) { return coarse_variants(design, matrix); },
      [this](const std::string& design) { return refined(design); },
      [this](const std::string& design) { return applies(design); },
      options.target == Target::cpu ? grid_reach_on_cpu : std::numeric_limits<double>::infinity());
  grid.propose = [this, halving](const Outcomes& outcomes,
                                 std::size_t count) -> std::vector<std::string> {
    if (space_.is_over()) return {};
    return halving->next(outcomes, count);
  };
  return grid;
}

/// What may be better than a good design whatever its parameters: the optimizer's passes on it, and
/// on a CPU the other way to gather x, and fewer threads.
std::vector<std::string> Strategies::refined(const std::string& design) {
  const Target target = target_of(*parse_design(design)).value_or(Target::cuda);
  std::vector<std::string> designs;
  if (space_.limits.is_team) designs = by_one_thread(design);
  if (target == Target::cpu) {
    if (auto other = with_other_gathers(design)) designs.push_back(std::move(*other));
  }
  std::erase_if(designs, [this](const std::string& other) { return !is_legal(other); });
  for (std::string& packed : compacted(design, space_.limits.values_vary, target))
    designs.push_back(std::move(packed));
  return designs;
}

/// The fastest of what came first, of a few structures, refined: large matrices gain most by their
/// bytes, and are given few trials.
Proposer Strategies::compact() {
  Proposer compact;
  compact.name = "compact";
  compact.first = true;
  compact.propose = [this, list = Proposer()](const Outcomes& outcomes, std::size_t count) mutable {
    if (!list.propose) {
      std::vector<std::string> designs;
      for (const std::string& fast : fastest_structures(outcomes, compacted_structures)) {
        for (std::string& design : refined(fast)) {
          if (is_legal(design)) designs.push_back(std::move(design));
        }
      }
      list = listed("compact", std::move(designs));
    }
    return list.propose(outcomes, count);
  };
  return compact;
}

Proposer Strategies::structure() {
  Proposer structure;
  structure.name = "structure";
  structure.weight = structure_weight;
  structure.propose = [this](const Outcomes& outcomes, std::size_t count) {
    std::vector<std::vector<std::string>> places(count);
    for (std::vector<std::string>& place : places) {
      const bool grown = annealing_->draw_growth();
      while (place.size() < moves_per_place) {
        std::optional<std::string> design = annealing_->propose(outcomes, grown);
        if (!design) break;
        place.push_back(std::move(*design));
      }
    }
    return screened(places);
  };
  structure.learn = [this, name = structure.name](const Measurement& outcome) {
    experience_.learn(outcome);
    const bool is_move = portfolio_->origin_of(outcome.design) == name;
    if (is_move) return annealing_->learn(outcome);
    annealing_->hear(outcome);
  };
  return structure;
}

/// Of the designs for each place the one that the model holds to be fastest, or, one time in four
/// and where there is no model, the first. So growth competes with growth, never with mutations of
/// the best, which the model knows better.
std::vector<std::string> Strategies::screened(const std::vector<std::vector<std::string>>& places) {
  std::vector<std::string> chosen;
  for (const std::vector<std::string>& place : places) {
    if (place.empty()) continue;
    const auto predictions = fine_->judge(place);
    std::size_t best = 0;
    const bool by_lot = chance_.chance(unscreened_share);
    for (std::size_t i = 1; predictions && !by_lot && i < place.size(); ++i) {
      if ((*predictions)[i].log2_slowdown < (*predictions)[best].log2_slowdown) best = i;
    }
    for (std::size_t i = 0; i < place.size(); ++i) {
      if (i != best) annealing_->withdraw(place[i]);
    }
    chosen.push_back(place[best]);
  }
  return chosen;
}

Proposer Strategies::fine() {
  Proposer fine;
  fine.name = "fine";
  fine.propose = [this](const Outcomes& outcomes, std::size_t count) {
    return fine_->propose(count, outcomes);
  };
  fine.learn = [this](const Measurement& outcome) { fine_->learn(outcome); };
  return fine;
}

/// Whatever grows, each once.
Proposer Strategies::chance() {
  Proposer chance;
  chance.name = "chance";
  chance.propose = [this](const Outcomes& outcomes, std::size_t count) {
    std::vector<std::string> designs;
    for (int tries = 0; tries < grown_tries && designs.size() < count; ++tries) {
      const std::optional<Design> grown = grow(space_, chance_);
      if (!grown) continue;
      std::string design = print_design(*grown);
      const bool twice = std::find(designs.begin(), designs.end(), design) != designs.end();
      if (!twice && !outcomes.contains(design)) designs.push_back(std::move(design));
    }
    return designs;
  };
  return chance;
}

void Strategies::learn(const Outcomes& outcomes) {
  for (const auto& [design, outcome] : outcomes) portfolio_->learn(outcome);
}

/// Whether it can be built on the matrix and there is time to; bans do not count.
bool Strategies::applies(const std::string& design) {
  return !space_.is_over() && designer_.branches(*parse_design(design)).ok();
}

/// Whether a trial of it could tell anything.
bool Strategies::is_legal(const std::string& design) {
  if (space_.is_over()) return false;
  const Result<Design> parsed = parse_design(design);
  if (!parsed) return false;
  bool seen = true;
  for_each_step(*parsed, [&](const Step& step) {
    const Operator* const op = find_operator(step.op);
    for (const Parameter& parameter : step.parameters) {
      const ParameterSpec* const spec = op ? find_parameter(*op, parameter.name) : nullptr;
      seen = seen && (space_.limits.unmodelled || !spec || spec->modelled);
    }
  });
  if (!seen) return false;
  const std::optional<Design> settled = settle(space_, *parsed);
  return settled && print_design(*settled) == design;
}

bool Strategies::is_exhausted() const {
  const std::int64_t since = portfolio_->verified_since_gain();
  return since > designs_least + (portfolio_->verified() - since);
}

}  // namespace alphasparse
