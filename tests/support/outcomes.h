// outcomes: made-up results of designs for tests of the search.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "operators/canonical_design.h"
#include "runtime/database/measurement.h"

namespace alphasparse {

/// Verified and timed where the status is ok or duplicate, else neither.
Measurement timed(const std::string& design, double time_us, Status status = Status::ok,
                  std::int64_t format_bytes = 100);

/// A design of any words: the catalogue need not know them.
CanonicalDesign made_up(const std::string& text);
Designs made_up_designs(const std::vector<std::string>& texts);

}  // namespace alphasparse
