// host_compiler: g++, which compiles kernels for CPUs and for the emulator, and how any compiler is
// run.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace alphasparse {

struct HostCompiler {
  std::vector<std::string> command;  ///< the program, and words of ALPHASPARSE_CXX behind it
  std::string version;               ///< "12.2.0"
  const char* variable = "ALPHASPARSE_CXX";  ///< which names another

  /// The command as messages show it, and as keys have it.
  std::string text() const;
};

/// The flags for a CPU's kernels. Hardware gathers lose against plain loads
/// (templates/lanes/gather.h).
const std::vector<std::string>& shared_object_flags();

/// The user of the compiler; the emulator runs on x86-64 alone.
enum class CompilerUse { emulator, cpu };

/// The compiler that ALPHASPARSE_CXX names, else g++. As CXX of make, the variable may hold several
/// words, such as "ccache g++ -m64", with a shell's quotes. The path of a program is one word with
/// any characters in it. Throws Error (exit 4) with the package to install where the compiler is
/// missing, is not g++ 12 or later, or does not build for x86-64 as the emulator needs.
HostCompiler find_host_compiler(CompilerUse use = CompilerUse::emulator);

/// The same without a look at its kind and version. Failure: it is missing, with the package to
/// install.
Result<HostCompiler> named_host_compiler();

/// Compiles one C++ file to a shared object, or to what the flags ask for. A failure is a
/// compile_error with the compiler's first error in that file, or a timeout by its processor time.
/// Throws environment_error for all that is no fault of the source: a compiler that is killed or
/// cannot start, a header that is missing, a disk that is full.
Result<std::filesystem::path> compile_shared_object(const HostCompiler& compiler,
                                                    const std::filesystem::path& source,
                                                    const std::filesystem::path& object,
                                                    const std::vector<std::string>& flags);

}  // namespace alphasparse
