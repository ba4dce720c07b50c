#include "runtime/emulated/emulator/stacks.h"

#include <sys/mman.h>

#include "runtime/emulated/emulator/kernel_error.h"

namespace alphasparse::emulator {

namespace {

constexpr int stacks_max = 1024;
constexpr std::size_t stack_bytes = 64 << 10;
constexpr std::size_t guard_bytes = 4 << 10;  // kernels probe every page of a larger frame
constexpr std::size_t step_bytes = stack_bytes + guard_bytes;

}  // namespace

Stacks::Stacks() : bytes_(stacks_max * step_bytes) {
  void* all = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) fail("no memory for stacks");
  low_ = reinterpret_cast<std::uintptr_t>(all);
}

char* Stacks::take() {
  if (!free_.empty()) {
    char* top = free_.back();
    free_.pop_back();
    return top;
  }
  if (made_ == stacks_max) fail("more threads under way than a block may have");
  char* low = reinterpret_cast<char*>(low_) + made_ * step_bytes + guard_bytes;
  if (mprotect(low, stack_bytes, PROT_READ | PROT_WRITE) != 0) fail("no memory for stacks");
  const int colour = made_++ % 61;
  return low + stack_bytes - (colour + 1) * 64;
}

void* prepare_fiber(char* top, void (*body)()) {
  void** words = reinterpret_cast<void**>(top);
  *--words = nullptr;  // the return address of `body`: keeps the stack aligned as after a call
  *--words = reinterpret_cast<void*>(body);
  for (int saved = 0; saved < 6; ++saved) *--words = nullptr;
  return words;
}

}  // namespace alphasparse::emulator
