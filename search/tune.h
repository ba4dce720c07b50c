// tune: finds a fast design for one matrix on one device, with the data of the database.
//
// Designs that were fast elsewhere come first (warm_start.h), then the named ones, so that the
// result is never worse than the best of them. Then come all strategies of strategies.h. Nothing
// that was measured before is measured again. Where times are measured, the vendor's algorithms
// come before all, as far as their share of the time goes (baseline_share.h), unless they were
// measured before. The best are measured in turn at the end. There a design that codes values has
// its counterpart tried that does not.
#pragma once
#include <atomic>
#include <functional>

#include "generator/arrays/matrix.h"
#include "runtime/database/database.h"
#include "runtime/device/device.h"
#include "search/trial/trial_loop.h"
#include "search/trial/tune_options.h"
#include "search/tune_result.h"

namespace alphasparse {

/// Does the purpose of a search: writes its files. tune throws its errors on.
using Deliver = std::function<void(const TuneResult&)>;

/// Searches until the budget is spent or `stop` is set. Without a database nothing is known and
/// nothing kept. `deliver` belongs to the search: where `stop` is set before it is done, the run is
/// stored as unfinished, so that the same call goes on. Errors that the device and the database
/// throw before the search has begun are thrown on.
TuneResult tune(const Matrix& matrix, Device& device, Database* database,
                const TuneOptions& options, const ProgressCallback& progress,
                const std::atomic<bool>& stop, const Deliver& deliver = {});

}  // namespace alphasparse
