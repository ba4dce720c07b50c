// large_files: files that grow beyond the limit of the process.
#pragma once
#include <csignal>

namespace alphasparse {

/// A file beyond the process' limit (ulimit -f) is then an error of the call that writes it, as a
/// full disk is. Without this, the program would end without a word.
inline void outlive_large_files() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace alphasparse
