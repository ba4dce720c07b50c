// problem: the subject of a search, as the tuning database keeps it.
#pragma once
#include "generator/arrays/matrix.h"
#include "runtime/database/database.h"
#include "runtime/device/device.h"
#include "search/trial/tune_options.h"

namespace alphasparse {

/// The problem that tune() searches for with these options.
Problem make_problem(const Matrix& matrix, const Fingerprints& prints, const DeviceInfo& device,
                     const TuneOptions& options);

/// The same without a matrix, but for its name.
Problem make_conditions(const DeviceInfo& device, const TuneOptions& options);

/// Under which the vendor's algorithms are kept beside it.
Problem vendor_problem(Problem problem);

}  // namespace alphasparse
