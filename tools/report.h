// report: results as text for people and as JSON.
//
// The JSON of every command is one object whose "schema" is its version: fields may be added
// without a change of it, but none is renamed, removed or given another meaning.
#pragma once
#include <string>
#include <vector>

#include "operators/named_designs.h"
#include "operators/operator.h"
#include "runtime/device.h"
#include "search/tune.h"
#include "tools/outputs.h"

namespace alphasparse {

/// What tune left behind.
struct TuneReport {
  const InputMatrix& input;
  const TuneOptions& options;
  const TuneResult& result;  ///< with a winner
  OutputFiles files;
  std::string database;
  bool explain = false;
};

std::string tune_json(const TuneReport& report);
std::string tune_text(const TuneReport& report);

/// How many of each status, and for failures the most frequent reason: "20 ok, 3 pruned (...)".
std::string status_text(const TuneResult& result);

struct EmitReport {
  const InputMatrix& input;
  const Kernel& kernel;
  const DeviceInfo& device;
  Result<Timing> timing;
  Fingerprints fingerprints;
  OutputFiles files;
};

std::string emit_json(const EmitReport& report);
std::string emit_text(const EmitReport& report);

std::string operators_json(const std::vector<const Operator*>& operators);
std::string designs_json(const std::vector<NamedDesign>& designs);
std::string devices_json(const std::vector<DeviceListing>& devices);

}  // namespace alphasparse
