// growth: designs at random, from the root or from any place inside a design. They grow operator by
// operator, and each tells whether it applies. Operators are weighted by a practitioner's
// preference, and, in the first chain of a design, by the outcomes that the search has seen
// (experience.h).
//
// Legality is asked of the operators and of the pruning rules, never guessed from names.
// `normalise` mends or rejects at the end the faults that only the whole tree shows (rows with
// several writers, fused launches, the format's size).
#pragma once
#include <optional>
#include <vector>

#include "base/random.h"
#include "operators/canonical_design.h"
#include "search/space/chains.h"
#include "search/space/search_space.h"

namespace alphasparse {

/// One operator at random that may come next: not pruned, and neither in the chain already nor
/// among the steps of `except`. `branching` says whether it has branches, which are empty then.
/// Nothing where there is none.
std::optional<Step> grow_step(const SearchSpace& space, const Spot& spot, bool branching,
                              const std::vector<Step>& except, Random& random);

/// Whether the step is legal at the spot and not pruned, as far as that can be said before a split.
bool may_come(const SearchSpace& space, const Spot& spot, const Step& step);

/// A complete chain that begins with the spot's. `wanted` steps are taken as soon as they apply, in
/// their order, with other parameters where they do not apply with their own. Steps that never
/// apply are left out. Growth closes the gaps, without branches of its own, and goes on to the
/// launch. Nothing where it came to a dead end.
std::optional<Design> complete(const SearchSpace& space, const Spot& spot, std::vector<Step> wanted,
                               Random& random);

/// The design of the tree, its epilogues and fused launches such that no row has more writers
/// than its epilogues allow. Nothing where it is not legal, is pruned, or stores too much.
std::optional<CanonicalDesign> normalise(const SearchSpace& space, const Design& design);

/// A whole design at random that `normalise` has accepted, its first steps those of `prefix`, which
/// may be empty and has no branches. Nothing after many dead ends.
std::optional<CanonicalDesign> grow(const SearchSpace& space, Random& random,
                                    const Design& prefix = {});

}  // namespace alphasparse
