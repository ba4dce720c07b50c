// named_designs: known formats spelt as designs. One line of the table each, and nothing else.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/target.h"
#include "generator/arrays/matrix.h"
#include "operators/canonical_design.h"

namespace alphasparse {

struct NamedDesign {
  std::string_view name;
  std::string_view line;      ///< with its published parameters; empty: it is for CPUs alone
  std::string_view doc;       ///< idea, source, and when it is good
  std::string_view cpu = {};  ///< its line on a CPU; empty: it does not exist there

  std::string_view target_line(Target target) const { return target == Target::cpu ? cpu : line; }
};

const std::vector<NamedDesign>& named_designs();

/// Those that the target has, each with its line there as `line`.
std::vector<NamedDesign> named_designs(Target target);

/// The design of its line, which the target must have.
CanonicalDesign make_canonical(const NamedDesign& named, Target target = Target::gpu);

/// make_canonical of all that the target has, and their texts.
Designs canonical_named_designs(Target target = Target::gpu);
std::vector<std::string> named_lines(Target target = Target::gpu);

/// The line of a name on a target, or the text itself where it is no name. Throws Error (exit 2)
/// where the target has no such design.
std::string resolve_design(const std::string& name_or_text, Target target = Target::gpu);

/// Every combination of the coarse values of the design's parameters for this matrix, the design
/// itself left out. Bounded to `most`, spread over the grid. Those that `wanted` rejects, where it
/// is given, take no places, as long as 16 questions a place find others.
Designs coarse_variants(const CanonicalDesign& design, const Matrix& matrix, std::size_t most = 64,
                        const std::function<bool(const CanonicalDesign&)>& wanted = {});

}  // namespace alphasparse
