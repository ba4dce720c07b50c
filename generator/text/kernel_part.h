// kernel_part: the kernel of an emitted file, and the sections over which its host part is written.
// Both forms of a file have them.
#pragma once
#include <string>

#include "generator/arrays/kernel.h"
#include "generator/text/host_text.h"
#include "generator/text/standalone.h"

namespace alphasparse {

inline constexpr const char* hide =
    "#pragma GCC visibility push(hidden)  // nvcc gives an unnamed namespace a name\n\n";
inline constexpr const char* show = "#pragma GCC visibility pop\n\n";
inline constexpr const char* needs_openmp =
    "#ifndef _OPENMP\n#error \"OpenMP is missing: compile with -fopenmp\"\n#endif\n\n";

/// The kernel as a file has it: nothing of it but its C functions is seen by others.
std::string kernel_text(const Kernel& kernel, Includes& includes);

/// Launches and facts, over which the rest of a file is written.
std::string own_sections(const Kernel& kernel, const StandaloneInfo& info);

}  // namespace alphasparse
