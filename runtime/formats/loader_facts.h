// loader_facts: the facts that a standalone kernel has on its format file, without its source. The
// loader can be run with them where there is no GPU.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "runtime/formats/computed_metadata.h"
#include "templates/host/computed_facts.h"
#include "templates/host/facts.h"
#include "templates/host/safetensors.h"

namespace alphasparse {

/// Facts as the kernel's source has them, fingerprints and the like from the header of the file
/// that was written with it. Points into the kernel.
class LoaderFacts {
 public:
  LoaderFacts(const Kernel& kernel, const host::Header& header);
  LoaderFacts(const LoaderFacts&) = delete;
  LoaderFacts& operator=(const LoaderFacts&) = delete;

  const host::FormatFacts& facts() const { return facts_; }

 private:
  host::Header header_;
  ComputedMetadata computed_;
  const char* text(const Expression& entry);
  const char* name(const std::string& text);

  std::vector<host::ArrayFacts> arrays_;
  std::deque<std::string> texts_;
  std::vector<host::SpanFacts> spans_;
  std::vector<host::BitFacts> set_bits_;
  host::FormatFacts facts_;
};

}  // namespace alphasparse
