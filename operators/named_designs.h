// named_designs: known formats spelt as designs. One line of the table each, and nothing else.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "generator/matrix.h"
#include "generator/result.h"
#include "operators/design.h"

namespace alphasparse {

struct NamedDesign {
  std::string_view name;
  std::string_view line;   ///< with its published parameters
  std::string_view about;  ///< idea, source, and when it is good
};

const std::vector<NamedDesign>& named_designs();

/// Its line in canonical spelling, which is what outcomes go by.
std::string canonical_line(const NamedDesign& named);

/// canonical_line of all of them.
std::vector<std::string> named_lines();

/// The line of a name, or the text itself where it is no name.
std::string resolve_design(const std::string& name_or_text);

/// Every combination of the coarse values of the design's parameters for this matrix, as canonical
/// lines, the design itself left out. Bounded to `most` lines, spread over the grid.
std::vector<std::string> coarse_variants(const std::string& line, const Matrix& matrix,
                                         std::size_t most = 64);

}  // namespace alphasparse
