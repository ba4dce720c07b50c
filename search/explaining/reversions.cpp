#include "search/explaining/reversions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generator/arrays/fragment.h"
#include "operators/catalogue.h"
#include "search/space/chains.h"
#include "search/space/prune_rules.h"
#include "search/structure/growth.h"

namespace alphasparse {

namespace {

constexpr std::uint64_t growth_seeds = 6;

using Steps = std::vector<Step>;

/// A step of a chain and its kind there: steps of one kind may stand for each other.
struct KnownStep {
  Step step;
  std::string kind;  ///< empty: no other step has its effect
};

/// One step of the winner.
struct Site {
  const SearchSpace& space;
  const CanonicalDesign& winner;
  const ChainPath& path;
  const Steps& steps;
  std::size_t at;
  const std::vector<KnownStep>& reference;  ///< the reference's chain; may be empty

  const Step& step() const { return steps[at]; }
};

Step without_branches(Step step) {
  step.branches.clear();
  return step;
}

/// The steps of `steps` that are not in `others`, parameters and all, separated by blanks.
std::string list_extra(const Steps& steps, const Steps& others) {
  std::string text;
  for (const Step& step : steps) {
    const auto is_same = [&](const Step& other) {
      return other.op == step.op && other.parameters == step.parameters;
    };
    if (std::any_of(others.begin(), others.end(), is_same)) continue;
    text += (text.empty() ? "" : " | ") + print_design({{without_branches(step)}});
  }
  return text;
}

std::string change_text(const Steps& before, const Steps& after) {
  const std::string gone = list_extra(before, after), come = list_extra(after, before);
  if (come.empty()) return gone.empty() ? "in another order" : "without " + gone;
  if (gone.empty()) return "with " + come;
  return fmt::format("{} for {}", come, gone);
}

std::string branch_text(const ChainPath& path) {
  std::string text;
  for (const std::size_t branch : path)
    text += fmt::format("{}{}", text.empty() ? "" : ".", branch + 1);
  return text;
}

/// Empty where only its epilogues or fused launches prevent it.
std::string find_rejection(const SearchSpace& space, const CanonicalDesign& design) {
  const Result<std::vector<Store>> stores = space.designer.branches(design);
  if (!stores) return stores.reason();
  if (auto reason = prune_reason(space, design.tree())) return *reason;
  const auto too_large = space.designer.too_large(*stores, default_dtype, space.limits.size);
  return too_large ? too_large->reason : "";
}

/// Why settle() does not take a design; empty as above. A reason names the part of the matrix that
/// was asked, because its numbers are the part's.
std::string rejection(const SearchSpace& space, const Design& design) {
  const Result<CanonicalDesign> canonical = CanonicalDesign::of(design);
  if (!canonical) return canonical.reason();
  std::string reason = find_rejection(space, *canonical);
  const std::int64_t part_nnz = space.designer.matrix().nnz();
  if (reason.empty() || part_nnz == space.features.nnz) return reason;
  return fmt::format("of a part of {} non-zeros: {}", part_nnz, reason);
}

std::string find_kind(const Store& before, const Store& after) {
  if (after.launch.threads != before.launch.threads) return "launch";
  if (after.epilogue != before.epilogue) return "sink";
  if (after.chain().size() != before.chain().size())
    return fmt::format("reduction {}", after.chain().size());
  for (const Level level : {Level::block, Level::warp, Level::thread}) {
    if (after.level(level) && !before.level(level))
      return fmt::format("level {}", static_cast<int>(level));
  }
  return "";
}

/// The steps of a chain that have no branches, with their kinds.
std::vector<KnownStep> known_steps(const SearchSpace& space, const Design& design,
                                   const ChainPath& path) {
  std::vector<KnownStep> known;
  std::optional<Spot> spot = find_spot(space, design, path, 0);
  if (!spot) return known;
  Prefix prefix = std::move(spot->prefix);
  for (const Step& step : find_chain(design, path).steps) {
    if (!step.branches.empty()) break;
    Result<Prefix> next = space.designer.after(prefix, step);
    if (!next) break;
    known.push_back({step, find_kind(prefix.store, next->store)});
    prefix = std::move(*next);
  }
  return known;
}

/// The reference's chain for one of the winner's: in the same branch, else the first that ends in a
/// launch.
ChainPath path_beside(const Design& reference, const ChainPath& path) {
  const auto is_leaf = [&](const ChainPath& other) {
    return find_chain(reference, other).steps.back().branches.empty();
  };
  std::vector<ChainPath> paths = chain_paths(reference);
  for (const ChainPath& other : paths) {
    if (other == path && is_leaf(other)) return other;
  }
  return *std::find_if(paths.begin(), paths.end(), is_leaf);
}

Steps copy_tail(const Site& site) {
  return Steps(site.steps.begin() + static_cast<std::ptrdiff_t>(site.at) + 1, site.steps.end());
}

/// The winner with `wanted` from the site on, as it stands.
Design replace_tail(const Site& site, const Steps& wanted) {
  Design chain{
      Steps(site.steps.begin(), site.steps.begin() + static_cast<std::ptrdiff_t>(site.at))};
  chain.steps.insert(chain.steps.end(), wanted.begin(), wanted.end());
  return with_chain(site.winner.tree(), site.path, std::move(chain));
}

/// A legal design with `wanted` from the site on: as it stands, or with the steps that it needs. It
/// has no operator `gone` (empty: any may stand in it), and has `needed` (likewise).
std::optional<CanonicalDesign> made_legal(const Site& site, const Steps& wanted,
                                          std::string_view gone, std::string_view needed) {
  const auto suits = [&](const Steps& steps) {
    return (gone.empty() || !has_step(steps, gone)) && (needed.empty() || has_step(steps, needed));
  };
  const auto normalised = [&](const Design& changed) -> std::optional<CanonicalDesign> {
    if (!suits(find_chain(changed, site.path).steps)) return std::nullopt;
    std::optional<CanonicalDesign> design = normalise(site.space, changed);
    return design && *design == site.winner ? std::nullopt : std::move(design);
  };
  if (auto design = normalised(replace_tail(site, wanted))) return design;
  std::optional<Spot> spot = find_spot(site.space, site.winner.tree(), site.path, site.at);
  if (!spot) return std::nullopt;
  // No operator comes twice in a chain: growth does not bring back an operator that seems to be
  // there.
  if (!gone.empty()) spot->before.push_back(without_branches(site.step()));
  Steps offered = wanted;
  for (const KnownStep& known : site.reference) {
    if (!has_step(offered, known.step.op)) offered.push_back(known.step);
  }
  for (std::uint64_t seed = 0; seed < growth_seeds; ++seed) {
    Random random(seed);
    std::optional<Design> chain = complete(site.space, *spot, offered, random);
    if (!chain) continue;
    if (!gone.empty())
      chain->steps.erase(chain->steps.begin() + static_cast<std::ptrdiff_t>(site.at));
    if (auto design = normalised(with_chain(site.winner.tree(), site.path, std::move(*chain))))
      return design;
  }
  return std::nullopt;
}

/// The reversion to a design, or why there is none.
Reversion make_reversion(const Site& site, const std::optional<CanonicalDesign>& design,
                         const std::string& what, const std::string& rejection) {
  Reversion made{site.step().op, branch_text(site.path), what, design, "", true};
  if (design) {
    const Steps& steps = find_chain(design->tree(), site.path).steps;
    if (made.what.empty()) made.what = change_text(site.steps, steps);
  } else {
    if (made.what.empty()) made.what = "without " + site.step().op;
    made.rejection = rejection.substr(0, rejection.find(';'));  // the remedy is left out
    if (made.rejection.empty()) made.rejection = "no legal design comes of it";
  }
  return made;
}

Reversion without_step(const Site& site) {
  const Steps wanted = copy_tail(site);
  const auto design = made_legal(site, wanted, site.step().op, "");
  return make_reversion(site, design, "",
                        design ? "" : rejection(site.space, replace_tail(site, wanted)));
}

/// The step with these parameters; nothing where they are its own.
std::optional<Reversion> with_parameters(const Site& site, const std::vector<Parameter>& given) {
  Step step = site.step();
  step.parameters = given;
  const Result<Step> canonical = canonical_step(step);
  if (!canonical || canonical->parameters == site.step().parameters) return std::nullopt;
  Steps wanted = copy_tail(site);
  wanted.insert(wanted.begin(), *canonical);
  const Design changed = replace_tail(site, wanted);
  const std::optional<CanonicalDesign> design = normalise(site.space, changed);
  if (design && *design == site.winner) return std::nullopt;
  return make_reversion(site, design,
                        fmt::format("{} for {}", print_design({{without_branches(*canonical)}}),
                                    print_design({{without_branches(site.step())}})),
                        design ? "" : rejection(site.space, changed));
}

/// The parameters of a step that have no default.
std::vector<Parameter> without_defaults(const Step& step) {
  std::vector<Parameter> given = step.parameters;
  const Operator& op = *find_operator(step.op);
  std::erase_if(given, [&](const Parameter& parameter) {
    const auto spec = std::find_if(op.parameters.begin(), op.parameters.end(),
                                   [&](const auto& one) { return one.name == parameter.name; });
    return !spec->fallback.empty();
  });
  return given;
}

/// The reference's step of the same kind in its place.
std::optional<Reversion> copy_reference(const Site& site, const std::string& kind) {
  for (const KnownStep& known : site.reference) {
    if (known.step.op == site.step().op) return with_parameters(site, known.step.parameters);
  }
  for (const KnownStep& known : site.reference) {
    if (kind.empty() || known.kind != kind) continue;
    Steps wanted = copy_tail(site);
    wanted.insert(wanted.begin(), known.step);
    const auto design = made_legal(site, wanted, site.step().op, known.step.op);
    return make_reversion(site, design,
                          design ? "" : fmt::format("{} for {}", known.step.op, site.step().op),
                          design ? "" : rejection(site.space, replace_tail(site, wanted)));
  }
  return std::nullopt;
}

/// One of a split's branches for all rows.
std::vector<Reversion> unsplit(const Site& site) {
  std::vector<Reversion> all;
  const std::vector<Design>& branches = site.step().branches;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (std::find(branches.begin(), branches.begin() + static_cast<std::ptrdiff_t>(i),
                  branches[i]) != branches.begin() + static_cast<std::ptrdiff_t>(i)) {
      continue;
    }
    const auto design = made_legal(site, branches[i].steps, site.step().op, "");
    all.push_back(
        make_reversion(site, design,
                       fmt::format("without {}, branch {} for all",
                                   print_design({{without_branches(site.step())}}), i + 1),
                       design ? "" : rejection(site.space, replace_tail(site, branches[i].steps))));
  }
  return all;
}

std::vector<Reversion> list_reversions(const Site& site, const std::string& kind) {
  std::vector<Reversion> all;
  if (!site.step().branches.empty()) {
    all = unsplit(site);
  } else if (kind != "launch") {
    all.push_back(without_step(site));
  }
  if (auto defaults = with_parameters(site, without_defaults(site.step())))
    all.push_back(std::move(*defaults));
  if (auto other = copy_reference(site, kind)) {
    // Reversions that read the same differ in the order of their steps alone.
    const bool is_new = std::none_of(all.begin(), all.end(), [&](const Reversion& one) {
      return one.design && (one.design == other->design || one.what == other->what);
    });
    if (is_new) all.push_back(std::move(*other));
  }
  if (all.empty()) {
    all.push_back({site.step().op, branch_text(site.path), "without " + site.step().op,
                   std::nullopt, "every design has one, and its parameters are the reference's",
                   true});
  }
  // A legal reversion stands for the step.
  std::stable_partition(all.begin(), all.end(),
                        [](const Reversion& one) { return one.design.has_value(); });
  return all;
}

}  // namespace

std::vector<Reversion> reversions(const SearchSpace& space, const CanonicalDesign& winner,
                                  const CanonicalDesign* reference, const Deadline& deadline) {
  std::vector<Reversion> first, others;
  for (const ChainPath& path : chain_paths(winner.tree())) {
    std::vector<KnownStep> beside;
    if (reference)
      beside = known_steps(space, reference->tree(), path_beside(reference->tree(), path));
    const Steps& steps = find_chain(winner.tree(), path).steps;
    const std::vector<KnownStep> own = known_steps(space, winner.tree(), path);
    for (std::size_t at = 0; at < steps.size(); ++at) {
      if (deadline.over()) {
        first.push_back({steps[at].op, branch_text(path), "without " + steps[at].op, std::nullopt,
                         "there was no time left", false});
        continue;
      }
      const Site site{space, winner, path, steps, at, beside};
      std::vector<Reversion> here =
          list_reversions(site, at < own.size() ? own[at].kind : std::string());
      first.push_back(std::move(here.front()));
      others.insert(others.end(), std::make_move_iterator(here.begin() + 1),
                    std::make_move_iterator(here.end()));
    }
  }
  first.insert(first.end(), std::make_move_iterator(others.begin()),
               std::make_move_iterator(others.end()));
  return first;
}

}  // namespace alphasparse
