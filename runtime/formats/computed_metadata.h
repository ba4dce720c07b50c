// computed_metadata: the metadata "computed" and "steps" of a format file. They state the arrays
// that its kernel computes instead of loading them, and the checks that a reader has to make of
// them.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "templates/host/computed_facts.h"
#include "templates/host/facts.h"
#include "templates/host/safetensors.h"

namespace alphasparse {

/// The metadata as JSON.
std::string computed_json(const Kernel& kernel);
std::string steps_json(const Kernel& kernel);

/// The facts for the loader that a file brings itself. Throws host::BadFile.
class ComputedMetadata {
 public:
  explicit ComputedMetadata(const host::Header& header);
  ComputedMetadata(const ComputedMetadata&) = delete;
  ComputedMetadata& operator=(const ComputedMetadata&) = delete;

  std::vector<host::ComputedFacts> computed;
  std::vector<host::StepFacts> steps;

 private:
  const char* keep(std::string text);

  std::deque<std::string> texts_;  // that the facts point at
};

}  // namespace alphasparse
