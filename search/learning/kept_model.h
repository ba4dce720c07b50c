// kept_model: a model of times as the database keeps it, and back.
#pragma once
#include <cstddef>

#include "generator/result.h"
#include "runtime/database/learning.h"
#include "search/learning/surrogate.h"

namespace alphasparse {

/// A model of DesignFeatures that was trained on so many rows.
Result<StoredModel> kept_model(const Surrogate& model, std::size_t rows);

/// Refuses, in one line, a model of other features than DesignFeatures has now.
Result<Surrogate> surrogate_of(const StoredModel& stored);

}  // namespace alphasparse
