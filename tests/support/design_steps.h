// design_steps: a design applied step by step, with a look at the store after each.
#pragma once
#include <functional>
#include <string>

#include "generator/arrays/matrix.h"
#include "generator/facts/store.h"
#include "operators/canonical_design.h"

namespace alphasparse {

/// The design of a name or a text, and its tree.
CanonicalDesign known_of(const std::string& name_or_text);
Design design_of(const std::string& name_or_text);

/// Called with the store after a step and the design as far as that step.
using AfterStep = std::function<void(const Store&, const std::string& prefix)>;

/// The store after all steps of a design, of its last branch where it has any; a prefix will do, no
/// launch is demanded. Fails at the first step that does not apply, as Designer::branches does.
Result<Store> apply_steps(const Matrix& matrix, const std::string& text,
                          const AfterStep& after = {});

}  // namespace alphasparse
