// catalogue: the explicit table of all operators, and the check of a step against it.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "operators/design.h"
#include "operators/operator.h"

namespace alphasparse {

/// Every operator, in the order of the stages.
const std::vector<const Operator*>& catalogue();

/// The operator of that name, or null.
const Operator* find_operator(std::string_view name);

/// The operator's parameter of that name, or null.
const ParameterSpec* find_parameter(const Operator& op, std::string_view name);

/// The step's arguments, defaults filled in; or the reason: an unknown operator or parameter, a
/// value out of range, a parameter that is missing.
Result<Arguments> check_arguments(const Step& step);

/// The one spelling of a step, its branches as they are; fails as check_arguments does.
Result<Step> canonical_step(const Step& step);

/// The one spelling of a design: parameters in the catalogue's order, defaults left out, integers
/// without leading zeros. Fails as check_arguments does.
Result<Design> canonical_design(const Design& design);

}  // namespace alphasparse
