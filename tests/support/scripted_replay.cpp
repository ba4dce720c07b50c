#include "tests/support/scripted_replay.h"

#include <cmath>
#include <cstdlib>

#include "operators/parameter_grid.h"
#include "tests/support/outcomes.h"

namespace alphasparse {

Measurement scripted(const std::string& design, const ScriptedTime& time_of) {
  const std::optional<double> time_us = time_of(design);
  Measurement outcome = time_us ? timed(design, *time_us) : timed(design, 0, Status::wrong_result);
  outcome.trial_us = 1000;
  return outcome;
}

Recorder Script::recorder() {
  return [this](const Designs& designs, double, Outcomes& outcomes) {
    for (const std::string& design : list_texts(designs))
      outcomes.insert_or_assign(design, scripted(design, time_of));
    requests += static_cast<std::int64_t>(designs.size());
  };
}

double squared_octaves(const std::string& design, const std::string& parameter, double best) {
  double sum = 0;
  for_each_step(*parse_design(design), [&](const Step& step) {
    for (const Parameter& given : step.parameters) {
      if (given.name != parameter) continue;
      sum += std::pow(std::log2(std::atof(given.value.c_str()) / best), 2);
    }
  });
  return sum;
}

}  // namespace alphasparse
