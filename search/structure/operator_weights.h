// operator_weights: how often growth tries an operator, by a practitioner's preference for the rows
// at hand. It says nothing about legality: the operator decides that.
#pragma once
#include "generator/facts/store.h"
#include "operators/operator.h"
#include "search/learning/features.h"

namespace alphasparse {

/// Positive, so that every legal operator may be proposed. `store` is the store that the operator
/// would be applied to, `features` are those of the whole matrix. Operators without a row in the
/// table weigh 1 in their stage.
double weight_of(const Operator& op, const Store& store, const Features& features);

}  // namespace alphasparse
