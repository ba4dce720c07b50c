#include "runtime/emulated/emulator/kernel_error.h"

#include <unistd.h>

#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>

#include "runtime/emulated/emulator/machine.h"

namespace alphasparse::emulator {

namespace {

/// Writes "WORD CASE TEXT[, block B[ thread T]]" and ends the process. Used by signal handlers too:
/// no stream, no allocation.
[[noreturn]] void say(const char* kind, const char* format, va_list arguments, bool name_thread) {
  char text[1024];
  const int room = sizeof text - 80;
  int used = std::snprintf(text, 40, "%s %d ", kind, machine.case_index);
  const int written = std::vsnprintf(text + used, room - used, format, arguments);
  used = written < room - used ? used + written : room - 1;
  if (machine.block >= 0) {
    used += std::snprintf(text + used, 40, ", block %lld", static_cast<long long>(machine.block));
    if (name_thread) used += std::snprintf(text + used, 24, " thread %d", machine.thread());
  }
  text[used++] = '\n';
  const ssize_t sent = write(STDOUT_FILENO, text, used);
  _exit(sent == used ? 0 : 1);
}

void on_signal(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (address - machine.stacks.low() < machine.stacks.bytes()) {
    raise_error("stack overflow: a thread needs more than 60 KiB of local variables");
  }
  if (signal == SIGFPE) raise_error("integer division by zero");
  if (signal == SIGILL) raise_error("the kernel reached code that cannot be reached");
  if (signal == SIGBUS) fail("no memory behind a page that was mapped");
  const Region* near = machine.memory.nearest(address);
  if (near) {
    raise_error("out-of-bounds access: %s[%lld], array has %lld elements", near->name.c_str(),
                near->to_index(address), near->elements());
  }
  raise_error("access to %p, which belongs to no array", info->si_addr);
}

}  // namespace

void raise_error(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("crash", format, arguments, true);
}

void raise_block_error(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("crash", format, arguments, false);
}

void endless(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("timeout", format, arguments, true);
}

void unbuildable(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("unbuildable", format, arguments, false);
}

void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  machine.block = -1;
  say("failed", format, arguments, false);
}

void catch_signals() {
  static char handler_stack[64 << 10];
  stack_t alternate{};
  alternate.ss_sp = handler_stack;
  alternate.ss_size = sizeof handler_stack;
  sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
}

}  // namespace alphasparse::emulator
