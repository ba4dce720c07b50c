// loader_facts: the facts that a standalone kernel has on its format file, without its source. The
// loader can be run with them where there is no GPU.
#pragma once
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "runtime/formats/computed_values.h"
#include "templates/host/facts.h"
#include "templates/host/loaded_format.h"
#include "templates/host/safetensors.h"

namespace alphasparse {

/// Facts as the kernel's source has them, fingerprints and the like from the header of the file
/// that was written with it. Points into the kernel.
class LoaderFacts {
 public:
  LoaderFacts(const Kernel& kernel, const host::Header& header);
  LoaderFacts(const LoaderFacts&) = delete;
  LoaderFacts& operator=(const LoaderFacts&) = delete;

  /// A file, read and checked as the emitted kernel does. Throws host::BadFile.
  host::LoadedFormat load(const std::string& path, bool with_pattern) const;

  const host::FormatFacts& facts() const { return facts_; }

 private:
  host::Header header_;
  ComputedNumbers numbers_;
  std::string digest_;
  std::vector<host::ArrayFacts> arrays_;
  host::FormatFacts facts_;
};

}  // namespace alphasparse
