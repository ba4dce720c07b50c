// model_kinds: every kind of model, and the data that each guesses by.
#pragma once
#include "generator/arrays/model.h"

namespace alphasparse {

std::vector<Proposal> linear_models(const Integers& entries);
std::vector<Proposal> periodic_models(const Integers& entries);
std::vector<Proposal> piecewise_models(const Integers& entries);

/// The most frequent number, the least of them where several are; 0 of none.
std::int64_t most_frequent(std::vector<std::int64_t> numbers);

/// The most frequent step between neighbours, by a bounded number of them.
std::int64_t usual_step(const Integers& entries);

/// The expression and the number that makes it right for most entries, by a sample of them.
Expression set_level(const Expression& entry, const Integers& entries);

}  // namespace alphasparse
