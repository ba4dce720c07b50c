#include "generator/text/kernel_digest.h"

#include <fmt/format.h>

#include "generator/arrays/fingerprints.h"

namespace alphasparse {

std::string kernel_digest(const Kernel& kernel) {
  std::string text = kernel.source;
  for (const ComputedArray& array : kernel.computed) {
    text += fmt::format("{}[{}] = {}\n", array.name, array.count, code_of(array.entry).text());
  }
  for (const Launch& launch : kernel.launches) {
    text += fmt::format("{} {} {}\n", launch.kernel, launch.blocks, launch.threads);
  }
  Fingerprint digest;
  digest.add(text.data(), text.size());
  return digest.text();
}

}  // namespace alphasparse
