// host_compiler: g++, which compiles kernels for CPUs and for the emulator.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "generator/result.h"

namespace alphasparse {

struct HostCompiler {
  std::string path;     ///< or a name that is searched in PATH
  std::string version;  ///< "12.2.0"
};

/// Who asks for it; the emulator runs on x86-64 alone.
enum class CompilerUse { emulator, cpu };

/// The compiler that ALPHASPARSE_CXX names, else g++. Throws Error (exit 4), saying what to
/// install, where it is missing, is not g++ 12 or later, or does not build for x86-64 as the
/// emulator needs.
HostCompiler find_host_compiler(CompilerUse use = CompilerUse::emulator);

/// Compiles one C++ file to a shared object. A failure is a compile_error with the compiler's first
/// error in that file, or a timeout by its processor time. Throws environment_fault for all that is
/// no fault of the source: a compiler that is killed or cannot start, a header that is missing, a
/// disk that is full.
Result<std::filesystem::path> compile_shared_object(const HostCompiler& compiler,
                                                    const std::filesystem::path& source,
                                                    const std::filesystem::path& object,
                                                    const std::vector<std::string>& flags);

}  // namespace alphasparse
