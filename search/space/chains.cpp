#include "search/space/chains.h"

#include <utility>

namespace alphasparse {

namespace {

void list_paths(const Design& chain, ChainPath& path, std::vector<ChainPath>& paths) {
  paths.push_back(path);
  if (chain.steps.empty()) return;
  const std::vector<Design>& branches = chain.steps.back().branches;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    path.push_back(i);
    list_paths(branches[i], path, paths);
    path.pop_back();
  }
}

/// Takes the first `count` steps of a chain, none of which may branch.
bool walk(const SearchSpace& space, const Design& chain, std::size_t count, Spot& spot) {
  for (std::size_t i = 0; i < count; ++i) {
    Result<Prefix> next = space.designer.after(spot.prefix, chain.steps[i]);
    if (!next) return false;
    spot.prefix = std::move(*next);
    spot.before.push_back(chain.steps[i]);
  }
  return true;
}

}  // namespace

std::vector<ChainPath> chain_paths(const Design& design) {
  std::vector<ChainPath> paths;
  ChainPath path;
  list_paths(design, path, paths);
  return paths;
}

const Design& find_chain(const Design& design, const ChainPath& path) {
  const Design* chain = &design;
  for (const std::size_t branch : path) chain = &chain->steps.back().branches[branch];
  return *chain;
}

Design with_chain(Design design, const ChainPath& path, Design chain) {
  Design* node = &design;
  for (const std::size_t branch : path) node = &node->steps.back().branches[branch];
  *node = Design(std::move(chain));
  return design;
}

bool has_step(const std::vector<Step>& steps, std::string_view op) {
  return std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return step.op == op; });
}

Spot root_spot(const SearchSpace& space) { return {space.designer.root(), {}, 0}; }

std::optional<Spot> find_spot(const SearchSpace& space, const Design& design, const ChainPath& path,
                              std::size_t kept) {
  Spot spot = root_spot(space);
  const Design* chain = &design;
  for (const std::size_t branch : path) {
    if (!walk(space, *chain, chain->steps.size() - 1, spot)) return std::nullopt;
    const Step& step = chain->steps.back();
    Result<std::vector<Prefix>> parts = space.designer.inside(spot.prefix, step);
    if (!parts) return std::nullopt;
    spot = {std::move((*parts)[branch]), {}, spot.depth + 1};
    chain = &step.branches[branch];
  }
  if (!walk(space, *chain, kept, spot)) return std::nullopt;
  return spot;
}

}  // namespace alphasparse
