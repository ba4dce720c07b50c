// ablate: the gain of each compression pass of a design. It compares the design as it is with the
// design without one pass after the other.
#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "base/result.h"
#include "generator/arrays/matrix.h"
#include "runtime/database/database.h"
#include "runtime/device/device.h"

namespace alphasparse {

struct Ablated {
  std::string passes;  ///< "all", "without columns", "none"
  Measurement outcome;
};

struct AblateOptions {
  Dtype dtype = default_dtype;
  int vectors = 1;  ///< as of TuneOptions
  CacheRegime regime = CacheRegime::warm;
  bool own_order = false;  ///< as of TuneOptions
};

/// The design as it is first, every pass off last; passes that are off already are left out. A
/// failure where the text is no design, or has no `compact`. Ends early where `stop` is set.
Result<std::vector<Ablated>> ablate(const Matrix& matrix, Device& device, const std::string& design,
                                    const AblateOptions& options, const std::atomic<bool>& stop);

}  // namespace alphasparse
