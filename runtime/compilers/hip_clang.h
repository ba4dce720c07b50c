// hip_clang: clang, which compiles kernels for GPUs of AMD - HIP source in, assembly out, with the
// registers and spills of every kernel. It needs neither a GPU nor ROCm.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/compilers/host_compiler.h"
#include "runtime/compilers/nvrtc.h"

namespace alphasparse {

/// The clang that ALPHASPARSE_HIP_CLANG names, else clang-19, looked for on first use. Failure: it
/// is missing, with the package to install.
const Result<HostCompiler>& hip_clang();

/// The assembly of a source without includes for an architecture ("gfx90a"), behind the words of
/// templates/hip. Failure: there is no clang, or the source does not compile.
Result<std::string> compile_hip_assembly(const std::string& source, const std::string& arch);

/// The facts that the metadata at the end of an assembly hold, a kernel each, in its order. Spills
/// are told as bytes that are stored and loaded once.
std::vector<KernelFacts> parse_amd_metadata(std::string_view assembly);

/// The facts of a source's kernels, with the cache of this user in front. Failure as above.
Result<CompiledKernel> compile_hip_cached(const std::string& source, const std::string& arch);

}  // namespace alphasparse
