// search_ground: a matrix made ready for the structure search in tests, and the judgement whether a
// search may propose a design.
#pragma once
#include <string>

#include "operators/designer.h"
#include "search/learning/features.h"
#include "search/space/known_designs.h"
#include "search/space/search_space.h"

namespace alphasparse {

struct SearchGround {
  /// `matrix` must outlive it.
  explicit SearchGround(const Matrix& matrix, Target target = Target::gpu)
      : designer(matrix, target), features(features_of(matrix)), space{designer, features} {}
  SearchGround(const SearchGround&) = delete;

  /// Empty where the design is canonical, not banned, and is built by a designer of its own or
  /// refused for a size: of shared memory, the grid or the index.
  std::string problem_of(const CanonicalDesign& design);

  /// The text of the design that `settle` makes of a text; empty where it makes none.
  std::string settled(const std::string& text);

  Designer designer;
  Features features;
  SearchSpace space;
  KnownDesigns known = {};
};

}  // namespace alphasparse
