// kernel_metadata: the metadata of a kernel's format file (format_file.h). NAME.kernel.cu has them
// too, as comments. So a loader of another language knows the file of this kernel by text that it
// trusts.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

/// Names and texts, in the order of the file.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// All metadata; the digits of the checksum are '0's.
Metadata kernel_metadata(const Kernel& kernel, const Fingerprints& fingerprints,
                         const std::string& structure, const std::string& generator_version,
                         const std::string& prefix);

/// A line "//= NAME TEXT" for each of the metadata but the checksum: the end of NAME.kernel.cu.
std::string metadata_comment(const Metadata& metadata);

}  // namespace alphasparse
