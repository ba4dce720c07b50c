// tool_main: how a developer's program ends - its errors as one line and their exit codes.
#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "base/printable.h"
#include "base/result.h"
#include "tools/console/large_files.h"

namespace alphasparse {

/// Calls run() and returns main's exit code: its result, or an Error's exit code behind "NAME:
/// error: REASON" on standard error.
template <class Run>
int tool_main(const char* name, const Run& run) {
  outlive_large_files();
  try {
    return run();
  } catch (const Error& error) {
    fmt::print(stderr, "{}: error: {}\n", name, printable(error.what()));
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: error: {}\n", name, printable(error.what()));
    return static_cast<int>(ExitCode::bad_input);
  }
}

}  // namespace alphasparse
