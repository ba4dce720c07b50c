// chains: the chains of a design by the branches that lead to them. Functions read one, put another
// in its place, or stand at one of its steps.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "operators/design.h"
#include "search/space/search_space.h"

namespace alphasparse {

/// Branch numbers from the root, from 0; empty: the root's chain.
using ChainPath = std::vector<std::size_t>;

/// The paths of all chains in the order of the text.
std::vector<ChainPath> chain_paths(const Design& design);

const Design& find_chain(const Design& design, const ChainPath& path);

/// The design with another chain there, without the chains that hung on the old one.
Design with_chain(Design design, const ChainPath& path, Design chain);

/// A place inside a design: the steps before it in its chain, and the depth of that chain.
struct Spot {
  Prefix prefix;
  std::vector<Step> before;
  int depth = 0;
};

/// Whether a step of the operator is one of them.
bool has_step(const std::vector<Step>& steps, std::string_view op);

/// Before the first step.
Spot root_spot(const SearchSpace& space);

/// The spot behind the first `kept` steps of the chain, none of which may branch. Nothing where a
/// step before does not apply.
std::optional<Spot> find_spot(const SearchSpace& space, const Design& design, const ChainPath& path,
                              std::size_t kept);

}  // namespace alphasparse
