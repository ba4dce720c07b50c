// mutation: designs that differ from another in one respect, one function a kind.
//
// A mutation changes one place of a chain. The steps behind it stay as far as they are legal, and
// growth closes the gaps (growth.h). So taking the shuffles out of CSR-vector may bring atomic
// additions in. A result is settled: legal for the matrix, not pruned, canonical, and another
// design than its parent.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "operators/canonical_design.h"
#include "search/space/search_space.h"

namespace alphasparse {

/// The designs that mutations start from. Both are legal.
struct Parents {
  const CanonicalDesign& design;
  const CanonicalDesign* other =
      nullptr;  ///< a second design for splices and branches; may be null
};

/// One attempt; nothing where it came to no design.
using MutationFunction = std::optional<CanonicalDesign> (*)(const SearchSpace&, const Parents&,
                                                            Random&);

struct Mutation {
  std::string_view name;
  std::string_view doc;  ///< one line
  double weight;         ///< how often it is tried, beside the others
  MutationFunction make;
};

/// insert, remove, replace, parameter, splice, branch, unbranch.
const std::vector<Mutation>& mutations();

/// The mutation of that name, or null.
const Mutation* find_mutation(std::string_view name);

/// Kinds by their weights, those named in `off` left out, until one comes to a design. Nothing
/// after many attempts.
std::optional<CanonicalDesign> mutate(const SearchSpace& space, const Parents& parents,
                                      Random& random,
                                      const std::vector<std::string_view>& off = {});

}  // namespace alphasparse
