#include "search/structure/growth.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "operators/catalogue.h"
#include "search/space/prune_rules.h"
#include "search/structure/grids.h"
#include "search/structure/operator_weights.h"

namespace alphasparse {

namespace {

constexpr int parameter_tries = 6;
constexpr int branching_tries = 3;
constexpr int dead_ends_max = 40;

/// A step of the operator that may come, after a few tries.
std::optional<Step> some_step(const SearchSpace& space, const Spot& spot, const Operator& op,
                              Random& random) {
  const int tries = op.parameters.empty() ? 1 : parameter_tries;
  for (int i = 0; i < tries; ++i) {
    std::optional<Step> step = random_step(space, op, spot.prefix.store, random);
    if (step && may_come(space, spot, *step)) return step;
  }
  return std::nullopt;
}

/// Operators in a random order, heavy ones first as a rule.
std::optional<Step> pick_step(const SearchSpace& space, const Spot& spot, Random& random,
                              const std::function<bool(const Operator&)>& is_wanted) {
  std::vector<double> weights;
  std::vector<std::string_view> names;
  std::size_t left = 0;
  for (const Operator* op : catalogue()) {
    const bool possible = is_wanted(*op) && !has_step(spot.before, op->name);
    weights.push_back(possible ? find_weight(*op, spot.prefix.store, space.features) : 0);
    names.push_back(op->name);
    left += possible;
  }
  if (space.experience && spot.depth == 0) space.experience->weigh(spot.before, names, weights);
  for (; left > 0; --left) {
    const std::size_t chosen = random.weighted(weights);
    weights[chosen] = 0;
    if (auto step = some_step(space, spot, *catalogue()[chosen], random)) return step;
  }
  return std::nullopt;
}

/// Grows one chain after another, branches inside the step that makes them.
class Walk {
 public:
  Walk(const SearchSpace& space, Random& random, bool grows_branches)
      : space_(space), random_(random), grows_branches_(grows_branches) {}

  std::optional<Design> finish(Spot spot, std::vector<Step> wanted) {
    int failed_splits = 0;
    while (!spot.prefix.store.launch.is_set()) {
      std::optional<Step> step = next(spot, wanted);
      if (!step) return std::nullopt;
      if (find_operator(step->op)->branches) {
        const std::optional<std::vector<Prefix>> parts = split(spot, *step);
        if (!parts) {
          if (++failed_splits == branching_tries) return std::nullopt;
          continue;
        }
        return finish_branches(spot, std::move(*step), *parts);
      }
      spot.prefix = space_.designer.after(spot.prefix, *step).value();
      spot.before.push_back(std::move(*step));
    }
    return Design{std::move(spot.before)};
  }

 private:
  bool may_branch(const Spot& spot) const {
    return spot.depth < space_.limits.depth_max && leaves_ < space_.limits.leaves_max;
  }

  /// The first of the wanted that may come, taken out, if need be with other parameters; else one
  /// that grows.
  std::optional<Step> next(const Spot& spot, std::vector<Step>& wanted) {
    for (auto step = wanted.begin(); step != wanted.end(); ++step) {
      if (!is_possible(spot, *step) || !may_come(space_, spot, *step)) continue;
      Step taken = std::move(*step);
      wanted.erase(step);
      return taken;
    }
    for (auto step = wanted.begin(); step != wanted.end(); ++step) {
      if (!is_possible(spot, *step) || !step->branches.empty()) continue;
      std::optional<Step> other = some_step(space_, spot, *find_operator(step->op), random_);
      if (!other) continue;
      wanted.erase(step);
      return other;
    }
    if (static_cast<int>(spot.before.size()) >= space_.limits.steps_max) return std::nullopt;
    return grown(spot);
  }

  bool is_possible(const Spot& spot, const Step& step) const {
    return !has_step(spot.before, step.op) && (step.branches.empty() || may_branch(spot));
  }

  std::optional<Step> grown(const Spot& spot);

  /// The branches' places, unless they hold too little, or there would be too many.
  std::optional<std::vector<Prefix>> split(const Spot& spot, const Step& step) const {
    const auto more = static_cast<int>(step.branches.size()) - 1;
    if (leaves_ + more > space_.limits.leaves_max) return std::nullopt;
    Result<std::vector<Prefix>> parts = space_.designer.inside(spot.prefix, step);
    if (!parts) return std::nullopt;
    const Arguments arguments = *check_arguments(step);
    const Operator& op = *find_operator(step.op);
    if (prune_reason(StepView{space_, spot.before, spot.prefix.store, op, arguments, &*parts})) {
      return std::nullopt;
    }
    return std::move(*parts);
  }

  std::optional<Design> finish_branches(const Spot& spot, Step step,
                                        const std::vector<Prefix>& parts) {
    leaves_ += static_cast<int>(parts.size()) - 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::optional<Design> branch =
          finish({parts[i], {}, spot.depth + 1}, std::move(step.branches[i].steps));
      if (!branch) return std::nullopt;
      step.branches[i] = std::move(*branch);
    }
    Design design{spot.before};
    design.steps.push_back(std::move(step));
    return design;
  }

  const SearchSpace& space_;
  Random& random_;
  const bool grows_branches_;
  int leaves_ = 1;
};

std::optional<Step> Walk::grown(const Spot& spot) {
  const bool branches = grows_branches_ && may_branch(spot);
  return pick_step(space_, spot, random_,
                   [&](const Operator& op) { return !op.branches || branches; });
}

}  // namespace

bool may_come(const SearchSpace& space, const Spot& spot, const Step& step) {
  const Result<Arguments> arguments = check_arguments(step);
  if (!arguments) return false;
  const Operator& op = *find_operator(step.op);
  return !cannot_apply(op, spot.prefix.store, *arguments) &&
         !prune_reason(StepView{space, spot.before, spot.prefix.store, op, *arguments});
}

std::optional<Step> grow_step(const SearchSpace& space, const Spot& spot, bool branching,
                              const std::vector<Step>& except, Random& random) {
  if (branching && spot.depth >= space.limits.depth_max) return std::nullopt;
  return pick_step(space, spot, random, [&](const Operator& op) {
    return branching == (op.branches != nullptr) && !has_step(except, op.name);
  });
}

std::optional<Design> complete(const SearchSpace& space, const Spot& spot, std::vector<Step> wanted,
                               Random& random) {
  return Walk(space, random, false).finish(spot, std::move(wanted));
}

std::optional<CanonicalDesign> grow(const SearchSpace& space, Random& random,
                                    const Design& prefix) {
  Spot spot = root_spot(space);
  for (const Step& step : prefix.steps) {
    const Result<Prefix> next = space.designer.after(spot.prefix, step);
    if (!next) return std::nullopt;
    spot.prefix = *next;
    spot.before.push_back(step);
  }
  for (int i = 0; i < dead_ends_max && !space.is_over(); ++i) {
    const std::optional<Design> design = Walk(space, random, true).finish(spot, {});
    if (!design) continue;
    if (auto normalised = normalise(space, *design)) return normalised;
  }
  return std::nullopt;
}

}  // namespace alphasparse
