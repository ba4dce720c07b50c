// operator_weights: how often growth tries an operator - what a practitioner would reach for, in
// view of the rows at hand. It says nothing about legality: that is asked of the operator.
#pragma once
#include "generator/facts/store.h"
#include "operators/operator.h"
#include "search/learning/features.h"

namespace alphasparse {

/// Positive, so that whatever is legal may be proposed. `store` is what the operator would be
/// applied to, `features` are those of the whole matrix. Operators without a row in the table weigh
/// 1 in their stage.
double weight_of(const Operator& op, const Store& store, const Features& features);

}  // namespace alphasparse
