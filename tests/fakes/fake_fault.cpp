// fake_fault: where a kernel does wrong on the fake of a GPU, its process ends, and so does the
// worker that it is.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "runtime/emulated/emulator/kernel_error.h"

namespace alphasparse::emulator {

namespace {

[[noreturn]] void end_with(const char* format, va_list arguments) {
  std::fputs("fake GPU: ", stderr);
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
  std::abort();
}

}  // namespace

#define ENDS_WITH_ITS_TEXT(name)       \
  void name(const char* format, ...) { \
    va_list arguments;                 \
    va_start(arguments, format);       \
    end_with(format, arguments);       \
  }

ENDS_WITH_ITS_TEXT(raise_error)
ENDS_WITH_ITS_TEXT(raise_block_error)
ENDS_WITH_ITS_TEXT(endless)
ENDS_WITH_ITS_TEXT(unbuildable)
ENDS_WITH_ITS_TEXT(fail)

}  // namespace alphasparse::emulator
