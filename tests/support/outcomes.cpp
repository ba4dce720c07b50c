#include "tests/support/outcomes.h"

namespace alphasparse {

Measurement timed(const std::string& design, double time_us, Status status,
                  std::int64_t format_bytes) {
  Measurement outcome;
  outcome.design = design;
  outcome.status = status;
  outcome.format_bytes = format_bytes;
  outcome.verified = status == Status::ok || status == Status::duplicate;
  if (outcome.verified) outcome.timing.emplace().time_us = time_us;
  return outcome;
}

}  // namespace alphasparse
