// fault: how the emulator ends where a kernel does wrong: one line on standard output, then exit.
//
// Nothing is unwound: the process has no other purpose than the run that has just failed.
#pragma once

namespace alphasparse::emulator {

/// A kernel's mistake: "crash", naming the block and thread that run, or "timeout" for a loop
/// without end. The text is a printf format.
[[noreturn]] void raise_error(const char* format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void raise_block_error(const char* format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void endless(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// A fault that the GPU's compiler would have refused.
[[noreturn]] void unbuildable(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Not the kernel's: no memory, a job that cannot be read, a module that cannot be loaded.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// From here on a stack overflow, and a wild access that no hook saw, ends in fault() too.
void catch_signals();

}  // namespace alphasparse::emulator
