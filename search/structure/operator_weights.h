// operator_weights: how often growth tries an operator: by its own weight for the rows at hand, by
// its stage, and by the target.
#pragma once
#include "generator/facts/store.h"
#include "operators/operator.h"
#include "search/learning/features.h"

namespace alphasparse {

/// Positive, so that every legal operator may be proposed. `store` is the store that the operator
/// would be applied to, `features` are those of the whole matrix.
double find_weight(const Operator& op, const Store& store, const Features& features);

}  // namespace alphasparse
