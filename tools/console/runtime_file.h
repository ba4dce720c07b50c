// runtime_file: alphasparse_runtime.h beside the kernels that include it. All kernels of a folder
// share one. Another version must not take its place while some of them need the old one.
#pragma once
#include <filesystem>

namespace alphasparse {

/// Throws Error (exit 2) where the header in the way cannot be read or is no header of ours. So it
/// does where the header has another version that kernels of its folder need, except for `source`,
/// which is written anew.
void check_runtime(const std::filesystem::path& header, const std::filesystem::path& source);

}  // namespace alphasparse
