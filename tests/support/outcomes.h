// outcomes: made-up results of designs for tests of the search.
#pragma once
#include <cstdint>
#include <string>

#include "runtime/database/measurement.h"

namespace alphasparse {

/// Verified and timed where the status is ok or duplicate, else neither.
Measurement timed(const std::string& design, double time_us, Status status = Status::ok,
                  std::int64_t format_bytes = 100);

}  // namespace alphasparse
