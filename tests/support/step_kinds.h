// step_kinds: the starts and the steps of the walk over all combinations.
//
// A step comes in few kinds. A change of a kernel's structure makes another kind, such as a word,
// one row or several, a warp's lanes or fewer. Another number does not. Spellings of one kind are
// varied from line to line: more children than workers, rows in another order, a grid that is too
// small. A new operator, or a new word of one, becomes a kind here; one that makes branches a
// start.
#pragma once
#include <string>
#include <vector>

namespace alphasparse {

/// Where a walk starts.
struct Start {
  std::string name;
  std::vector<std::string> before;  ///< spellings of the text before the first step
  std::string after;                ///< the text behind the launch
  std::string matrix;               ///< of combination_matrix
  int branch = -1;                  ///< of the branching step that `before` ends with
  std::string without = {};         ///< a sink that only the whole design can refuse
};

const std::vector<Start>& combination_starts();

/// Spellings of steps that put the same kernel together; the walk takes the first.
using StepKind = std::vector<std::string>;

/// Every kind of every operator of mapping and implementing, in the order of a design.
const std::vector<StepKind>& step_kinds();

}  // namespace alphasparse
