// scripted_replay: replays of a search on times that a script makes up.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "search/evaluation/replay.h"

namespace alphasparse {

/// The time of a design, in us; nothing: it gives wrong results.
using ScriptedTime = std::function<std::optional<double>(const std::string& design)>;

/// The measurement as a trial of 1 ms would give it.
Measurement scripted(const std::string& design, const ScriptedTime& time_of);

/// Records every question of a replay, and counts them.
struct Script {
  ScriptedTime time_of;
  Outcomes recorded = {};
  std::int64_t requests = 0;

  Recorder recorder();
};

/// The sum over all parameters of this name of the squared octaves from `best`.
double squared_octaves(const std::string& design, const std::string& parameter, double best);

}  // namespace alphasparse
