#include "search/structure/mutation.h"

#include <algorithm>
#include <utility>

#include "operators/catalogue.h"
#include "operators/parameter_grid.h"
#include "search/space/chains.h"
#include "search/space/prune_rules.h"
#include "search/structure/grids.h"
#include "search/structure/growth.h"

namespace alphasparse {

namespace {

constexpr int moves_max = 40;

using Steps = std::vector<Step>;

Steps copy_tail(const Steps& steps, std::size_t from) {
  return Steps(steps.begin() + static_cast<std::ptrdiff_t>(from), steps.end());
}

bool is_same_step(const Step& a, const Step& b) {
  const Result<Step> first = canonical_step(a), second = canonical_step(b);
  return first && second && first->op == second->op && first->parameters == second->parameters;
}

std::size_t branch_count(const Design& design) { return chain_paths(design).size(); }

/// Chains that end in a launch.
std::size_t sum_leaves(const Design& design) {
  std::size_t leaves = 0;
  for_each_step(design, [&](const Step& step) { leaves += step.op == "launch"; });
  return leaves;
}

/// A chain of a design at random, and one of its steps.
struct Site {
  ChainPath path;
  const Steps& steps;
  std::size_t at;
};

/// `spare` steps at the chain's end are no site; nothing where no other is left.
std::optional<Site> random_site(const Design& design, std::size_t excluded, Random& random) {
  const std::vector<ChainPath> paths = chain_paths(design);
  const ChainPath& path = paths[random.below(paths.size())];
  const Steps& steps = find_chain(design, path).steps;
  if (steps.size() <= excluded) return std::nullopt;
  return Site{path, steps, random.below(steps.size() - excluded)};
}

/// The design with the chain as it goes on from the site; `accept` judges the new chain before
/// the whole is settled.
template <class Accept>
std::optional<CanonicalDesign> go_on(const SearchSpace& space, const Design& design,
                                     const Site& site, const Spot& spot, Steps wanted,
                                     Random& random, const Accept& accept) {
  std::optional<Design> chain = complete(space, spot, std::move(wanted), random);
  if (!chain || !accept(chain->steps)) return std::nullopt;
  return normalise(space, with_chain(design, site.path, std::move(*chain)));
}

std::optional<CanonicalDesign> insert(const SearchSpace& space, const Parents& parents,
                                      Random& random) {
  const std::optional<Site> site = random_site(parents.design.tree(), 0, random);
  const auto spot = find_spot(space, parents.design.tree(), site->path, site->at);
  if (!spot) return std::nullopt;
  const std::optional<Step> step = grow_step(space, *spot, false, site->steps, random);
  if (!step) return std::nullopt;
  Steps wanted = copy_tail(site->steps, site->at);
  wanted.insert(wanted.begin(), *step);
  return go_on(space, parents.design.tree(), *site, *spot, std::move(wanted), random,
               [&](const Steps& steps) {
                 return steps.size() > site->steps.size() && is_same_step(steps[site->at], *step);
               });
}

std::optional<CanonicalDesign> remove(const SearchSpace& space, const Parents& parents,
                                      Random& random) {
  const std::optional<Site> site = random_site(parents.design.tree(), 1, random);
  if (!site) return std::nullopt;
  const auto spot = find_spot(space, parents.design.tree(), site->path, site->at);
  if (!spot) return std::nullopt;
  const std::string gone = site->steps[site->at].op;
  return go_on(space, parents.design.tree(), *site, *spot, copy_tail(site->steps, site->at + 1),
               random, [&](const Steps& steps) {
                 return steps.size() < site->steps.size() && !has_step(steps, gone);
               });
}

/// A step that branches is replaced by another that does. The new branches take over from the old
/// ones.
std::optional<CanonicalDesign> replace(const SearchSpace& space, const Parents& parents,
                                       Random& random) {
  const std::optional<Site> site = random_site(parents.design.tree(), 0, random);
  const auto spot = find_spot(space, parents.design.tree(), site->path, site->at);
  if (!spot) return std::nullopt;
  const Step& old = site->steps[site->at];
  std::optional<Step> step = grow_step(space, *spot, !old.branches.empty(), site->steps, random);
  if (!step) return std::nullopt;
  for (std::size_t i = 0; i < step->branches.size(); ++i) {
    step->branches[i] = old.branches[i % old.branches.size()];
  }
  Steps wanted = copy_tail(site->steps, site->at + 1);
  wanted.insert(wanted.begin(), *step);
  return go_on(space, parents.design.tree(), *site, *spot, std::move(wanted), random,
               [&](const Steps& steps) {
                 return is_same_step(steps[site->at], *step) && !has_step(steps, old.op);
               });
}

/// A parameter of the step that the search varies, with another value; nothing where it has none.
std::optional<Step> with_other_value(const SearchSpace& space, const Store& store, const Step& step,
                                     Random& random) {
  const Operator& op = *find_operator(step.op);
  const Arguments arguments = *check_arguments(step);
  std::vector<Step> choices;
  for (const ParameterSpec& spec : op.parameters) {
    if (!arguments.has(spec.name) || spec.times_next != 0) continue;
    const std::string& value = arguments.text(spec.name);
    for (const std::string& other : find_neighbours(spec, value, make_grid(space, spec, store))) {
      Step changed = step;
      std::erase_if(changed.parameters,
                    [&](const Parameter& given) { return given.name == spec.name; });
      changed.parameters.push_back({std::string(spec.name), other});
      // Another number of branches would be another structure.
      if (check_arguments(changed).ok()) choices.push_back(std::move(changed));
    }
  }
  if (choices.empty()) return std::nullopt;
  return choices[random.below(choices.size())];
}

std::optional<CanonicalDesign> parameter(const SearchSpace& space, const Parents& parents,
                                         Random& random) {
  const std::optional<Site> site = random_site(parents.design.tree(), 0, random);
  std::optional<Spot> spot = find_spot(space, parents.design.tree(), site->path, site->at);
  if (!spot) return std::nullopt;
  const auto changed = with_other_value(space, spot->prefix.store, site->steps[site->at], random);
  if (!changed) return std::nullopt;
  Design chain{site->steps};
  chain.steps[site->at] = *changed;
  set_tied_parameters(chain);
  std::size_t from = 0;  // parameters tied to the changed one stand before it
  while (chain.steps[from] == site->steps[from]) ++from;
  if (from < site->at) spot = find_spot(space, parents.design.tree(), site->path, from);
  std::optional<CanonicalDesign> design =
      go_on(space, parents.design.tree(), *site, *spot, copy_tail(chain.steps, from), random,
            [&](const Steps& steps) {
              return steps.size() > site->at && is_same_step(steps[site->at], *changed);
            });
  if (!design || design->structure() != parents.design.structure()) return std::nullopt;
  return design;
}

/// A place of the chain at random where the step may come.
std::optional<std::pair<Site, Spot>> choose_spot(const SearchSpace& space, const Design& design,
                                                 const Step& step, Random& random) {
  const std::vector<ChainPath> paths = chain_paths(design);
  const ChainPath& path = paths[random.below(paths.size())];
  const Steps& steps = find_chain(design, path).steps;
  std::vector<std::pair<Site, Spot>> spots;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    auto spot = find_spot(space, design, path, at);
    const bool other = steps[at].branches.empty() ? !is_same_step(steps[at], step) : true;
    if (spot && other && !has_step(spot->before, step.op) && may_come(space, *spot, step)) {
      spots.emplace_back(Site{path, steps, at}, std::move(*spot));
    }
  }
  if (spots.empty()) return std::nullopt;
  return std::move(spots[random.below(spots.size())]);
}

std::optional<CanonicalDesign> splice(const SearchSpace& space, const Parents& parents,
                                      Random& random) {
  if (!parents.other) return std::nullopt;
  const std::optional<Site> source = random_site(parents.other->tree(), 0, random);
  const Step& first = source->steps[source->at];
  const auto found = choose_spot(space, parents.design.tree(), first, random);
  if (!found) return std::nullopt;
  const auto& [site, spot] = *found;
  return go_on(space, parents.design.tree(), site, spot, copy_tail(source->steps, source->at),
               random, [&, at = site.at](const Steps& steps) {
                 return steps.size() > at && is_same_step(steps[at], first);
               });
}

/// The wish for one branch: as a rule the steps that followed, or the other design, or anything.
Design branch_wish(const Parents& parents, const Steps& tail, Random& random) {
  constexpr double other_share = 0.25, grown_share = 0.25;
  const double draw = random.fraction();
  if (draw < grown_share) return {};
  if (draw < grown_share + other_share && parents.other) {
    const std::vector<ChainPath> paths = chain_paths(parents.other->tree());
    return find_chain(parents.other->tree(), paths[random.below(paths.size())]);
  }
  return Design{tail};
}

std::optional<CanonicalDesign> branch(const SearchSpace& space, const Parents& parents,
                                      Random& random) {
  const std::optional<Site> site = random_site(parents.design.tree(), 0, random);
  const auto spot = find_spot(space, parents.design.tree(), site->path, site->at);
  if (!spot || !spot->prefix.store.levels().empty()) return std::nullopt;
  std::optional<Step> step = grow_step(space, *spot, true, {}, random);
  if (!step) return std::nullopt;
  const Steps tail = copy_tail(site->steps, site->at);
  for (Design& wish : step->branches) wish = branch_wish(parents, tail, random);
  const std::size_t before = branch_count(parents.design.tree());
  auto design = go_on(space, parents.design.tree(), *site, *spot, {*step}, random,
                      [&](const Steps& steps) { return is_same_step(steps.back(), *step); });
  return design && branch_count(design->tree()) > before ? design : std::nullopt;
}

std::optional<CanonicalDesign> unbranch(const SearchSpace& space, const Parents& parents,
                                        Random& random) {
  std::vector<ChainPath> paths = chain_paths(parents.design.tree());
  std::erase_if(paths, [&](const ChainPath& path) {
    return find_chain(parents.design.tree(), path).steps.back().branches.empty();
  });
  if (paths.empty()) return std::nullopt;
  const ChainPath& path = paths[random.below(paths.size())];
  const Steps& steps = find_chain(parents.design.tree(), path).steps;
  const Site site{path, steps, steps.size() - 1};
  const auto spot = find_spot(space, parents.design.tree(), path, site.at);
  if (!spot) return std::nullopt;
  const std::vector<Design>& branches = steps.back().branches;
  const std::size_t before = branch_count(parents.design.tree());
  auto design = go_on(space, parents.design.tree(), site, *spot,
                      branches[random.below(branches.size())].steps, random,
                      [&](const Steps&) { return true; });
  return design && branch_count(design->tree()) < before ? design : std::nullopt;
}

}  // namespace

const std::vector<Mutation>& mutations() {
  static const std::vector<Mutation> all = {
      {"insert", "one operator more, which no other of its chain is", 2, insert},
      {"remove", "one operator fewer", 1.5, remove},
      {"replace", "another operator in the place of one", 2, replace},
      {"parameter", "the neighbouring value of one parameter", 3, parameter},
      {"splice", "from one place on the end of another design", 1.5, splice},
      {"branch", "the end of a chain once in each branch of a split", 1, branch},
      {"unbranch", "one branch for all of them", 0.7, unbranch},
  };
  return all;
}

const Mutation* find_mutation(std::string_view name) {
  for (const Mutation& mutation : mutations()) {
    if (mutation.name == name) return &mutation;
  }
  return nullptr;
}

std::optional<CanonicalDesign> mutate(const SearchSpace& space, const Parents& parents,
                                      Random& random, const std::vector<std::string_view>& off) {
  std::vector<double> weights;
  bool any = false;
  for (const Mutation& mutation : mutations()) {
    const bool on = std::find(off.begin(), off.end(), mutation.name) == off.end();
    weights.push_back(on ? mutation.weight : 0);
    any = any || on;
  }
  if (!any) return std::nullopt;
  const std::size_t leaves_most = std::max(sum_leaves(parents.design.tree()),
                                           static_cast<std::size_t>(space.limits.leaves_max));
  for (int i = 0; i < moves_max && !space.is_over(); ++i) {
    const Mutation& mutation = mutations()[random.weighted(weights)];
    std::optional<CanonicalDesign> design = mutation.make(space, parents, random);
    if (!design || *design == parents.design || sum_leaves(design->tree()) > leaves_most) continue;
    return design;
  }
  return std::nullopt;
}

}  // namespace alphasparse
