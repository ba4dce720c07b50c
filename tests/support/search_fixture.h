// search_fixture: a matrix made ready for the structure search in tests, and the judgement whether
// a search may propose a design.
#pragma once
#include <string>

#include "operators/designer.h"
#include "search/learning/features.h"
#include "search/space/known_designs.h"
#include "search/space/search_space.h"

namespace alphasparse {

struct SearchFixture {
  /// `matrix` must outlive it.
  explicit SearchFixture(const Matrix& matrix, Target target = Target::gpu)
      : designer(matrix, target), features(compute_features(matrix)), space{designer, features} {}
  SearchFixture(const SearchFixture&) = delete;

  /// Empty where the design is canonical, not banned, and is built by a designer of its own or
  /// refused for a size: of shared memory, the grid or the index.
  std::string problem_of(const CanonicalDesign& design);

  /// The text of the design that `normalise` makes of a text; empty where it makes none.
  std::string normalised(const std::string& text);

  Designer designer;
  Features features;
  SearchSpace space;
  KnownDesigns known = {};
};

}  // namespace alphasparse
