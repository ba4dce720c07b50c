// named_designs: known formats spelt as designs. One line of the table each, and nothing else.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/target.h"
#include "generator/arrays/matrix.h"
#include "operators/design.h"

namespace alphasparse {

struct NamedDesign {
  std::string_view name;
  std::string_view line;      ///< with its published parameters
  std::string_view about;     ///< idea, source, and when it is good
  std::string_view cpu = {};  ///< its line on a CPU; empty: it does not exist there

  std::string_view line_on(Target target) const { return target == Target::cpu ? cpu : line; }
};

const std::vector<NamedDesign>& named_designs();

/// Its line in canonical spelling, the key of outcomes.
std::string canonical_line(const NamedDesign& named, Target target = Target::cuda);

/// canonical_line of all that the target has.
std::vector<std::string> named_lines(Target target = Target::cuda);

/// The line of a name on a target, or the text itself where it is no name. Throws Error (exit 2)
/// where the target has no such design.
std::string resolve_design(const std::string& name_or_text, Target target = Target::cuda);

/// Every combination of the coarse values of the design's parameters for this matrix, as canonical
/// lines, the design itself left out. Bounded to `most` lines, spread over the grid.
std::vector<std::string> coarse_variants(const std::string& line, const Matrix& matrix,
                                         std::size_t most = 64);

}  // namespace alphasparse
