// structure: the strategies of designs that grow or mutate - under annealing, and by chance alone.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "search/strategies/strategy.h"
#include "search/structure/annealing.h"
#include "search/structure/growth.h"

namespace alphasparse {

namespace {

constexpr std::size_t moves_per_slot = 12;  // that the model chooses from
// Of a chance beside that of fine parameters, as trials have gained on large matrices.
constexpr double structure_weight = 2;
constexpr double grown_share = 0.25;       // of the places of a structure
constexpr double unscreened_share = 0.25;  // of the places, with any content
constexpr int grown_tries = 256;           // before chance counts as used up
constexpr std::uint64_t lots_stream = 3;   // of random numbers, beside those of the annealing

AnnealingOptions make_annealing(const StrategiesOptions& options) {
  AnnealingOptions annealing;
  annealing.seed = options.seed;
  annealing.grown_share = options.parts.growth ? grown_share : 0;
  if (options.target == Target::cpu) annealing.grown_early = 0;
  if (!options.parts.annealing) annealing.hot = annealing.cold = 0;
  return annealing;
}

/// Annealing with proposals that the model of fine parameters screens.
class ScreenedAnnealing {
 public:
  ScreenedAnnealing(StrategyContext& context, const StrategiesOptions& options)
      : annealing_(context.space, context.known, make_annealing(options)),
        fine_(context.fine),
        lots_(options.seed, lots_stream) {}

  Designs propose(const Outcomes& outcomes, std::size_t count) {
    std::vector<Designs> slots(count);
    for (Designs& slot : slots) {
      const bool grown = annealing_.draw_growth();
      while (slot.size() < moves_per_slot) {
        std::optional<CanonicalDesign> design = annealing_.propose(outcomes, grown);
        if (!design) break;
        slot.push_back(std::move(*design));
      }
    }
    Designs chosen;
    for (const Designs& slot : slots) {
      if (!slot.empty()) chosen.push_back(screened(slot));
    }
    return chosen;
  }

  void learn(const CanonicalDesign& design, const Measurement& outcome, bool is_own) {
    if (is_own) {
      annealing_.learn(design, outcome);
    } else {
      annealing_.hear(design, outcome);
    }
  }

 private:
  /// From the designs for a slot, the one that the model holds to be fastest. One time in four,
  /// and where there is no model, it is the first. So growth competes with growth, never with
  /// mutations of the best, which the model knows better.
  CanonicalDesign screened(const Designs& slot) {
    const auto predictions = fine_.judge(slot);
    std::size_t best = 0;
    const bool by_lot = lots_.chance(unscreened_share);
    for (std::size_t i = 1; predictions && !by_lot && i < slot.size(); ++i) {
      if ((*predictions)[i].log2_slowdown < (*predictions)[best].log2_slowdown) best = i;
    }
    for (std::size_t i = 0; i < slot.size(); ++i) {
      if (i != best) annealing_.withdraw(slot[i]);
    }
    return slot[best];
  }

  Annealing annealing_;
  FineGrid& fine_;
  Random lots_;
};

}  // namespace

std::optional<Proposer> structure_strategy(StrategyContext& context,
                                           const StrategiesOptions& options) {
  if (!options.parts.structure) return std::nullopt;
  const auto annealing = std::make_shared<ScreenedAnnealing>(context, options);
  Proposer structure;
  structure.weight = structure_weight;
  structure.propose = [annealing](const Outcomes& outcomes, std::size_t count) {
    return annealing->propose(outcomes, count);
  };
  structure.learn = [annealing, &context](const CanonicalDesign& design, const Measurement& outcome,
                                          bool is_own) {
    context.experience.learn(design, outcome);
    annealing->learn(design, outcome, is_own);
  };
  return structure;
}

/// All designs that grow, each once.
std::optional<Proposer> chance_strategy(StrategyContext& context,
                                        const StrategiesOptions& options) {
  Proposer chance;
  chance.propose = [&context, lots = Random(options.seed, lots_stream)](const Outcomes& outcomes,
                                                                        std::size_t count) mutable {
    Designs designs;
    for (int tries = 0; tries < grown_tries && designs.size() < count; ++tries) {
      std::optional<CanonicalDesign> grown = grow(context.space, lots);
      if (!grown) continue;
      const bool twice = std::find(designs.begin(), designs.end(), *grown) != designs.end();
      if (!twice && !outcomes.contains(grown->text())) designs.push_back(std::move(*grown));
    }
    return designs;
  };
  return chance;
}

}  // namespace alphasparse
