// kernel_facts: what a standalone kernel knows of its format file, without its source - the loader
// can be run with it where no GPU is.
#pragma once
#include <vector>

#include "generator/kernel.h"
#include "runtime/formats/computed_metadata.h"
#include "templates/host/facts.h"
#include "templates/host/safetensors.h"

namespace alphasparse {

/// Facts as the kernel's source has them, fingerprints and the like from the header of the file
/// that was written with it. Points into the kernel.
class KernelFacts {
 public:
  KernelFacts(const Kernel& kernel, const host::Header& header);
  KernelFacts(const KernelFacts&) = delete;
  KernelFacts& operator=(const KernelFacts&) = delete;

  const host::FormatFacts& facts() const { return facts_; }

 private:
  host::Header header_;
  ComputedMetadata computed_;
  std::vector<host::ArrayFacts> arrays_;
  host::FormatFacts facts_;
};

}  // namespace alphasparse
