// archives: archives and packed files for tests, made in memory.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace alphasparse {

using ArchiveFiles = std::vector<std::pair<std::string, std::string>>;  ///< name, content

/// `format` is zip, stored (a zip without compression) or tar; `packing` is gzip, bzip2, xz, zstd
/// or none, and maybe its level. The packing xz:1 takes a tenth of the memory of xz, to pack and to
/// unpack.
std::string archived(const ArchiveFiles& files, const std::string& format,
                     const std::string& packing = "none");

/// One content, packed likewise.
std::string packed(const std::string& content, const std::string& packing);

}  // namespace alphasparse
