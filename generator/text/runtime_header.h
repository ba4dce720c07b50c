// runtime_header: alphasparse_runtime.h, the code that kernels for both targets share, and
// NAME.cu and NAME.cpu.cpp that include it. Those for HIP share alphasparse_hip_runtime.h, the same
// text in HIP's words. A standalone file has the same text written in.
//
// A kernel includes the header twice. At its top it gets the declarations, and the definitions
// behind them unless the project compiles those once. At its end, with ALPHASPARSE_FUNCTION, it
// gets its C functions. All text is that of templates/host.
#pragma once
#include <string>

#include "generator/text/standalone.h"

namespace alphasparse {

/// The whole text of the header, which depends on the generator's version and the dialect alone.
std::string runtime_header(const std::string& version = generator_version,
                           Dialect dialect = Dialect::cuda);

/// The version that a text of alphasparse_runtime.h has, or that a kernel's text needs; empty: it
/// is neither.
std::string runtime_version(const std::string& text);

/// The whole text of NAME.cu, NAME.hip or NAME.cpu.cpp, which includes that header.
std::string shared_source(const Kernel& kernel, const StandaloneInfo& info);

}  // namespace alphasparse
