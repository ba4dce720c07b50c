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

CanonicalDesign made_up(const std::string& text) {
  return CanonicalDesign::spelled(parse_design(text).value());
}

Designs made_up_designs(const std::vector<std::string>& texts) {
  Designs designs;
  for (const std::string& text : texts) designs.push_back(made_up(text));
  return designs;
}

}  // namespace alphasparse
