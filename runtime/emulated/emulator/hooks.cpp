// hooks: the functions that g++ -fsanitize=thread and -fsanitize-coverage=trace-pc call before
// every memory access and at the start of every basic block. The sanitizers' own libraries are not
// linked: these stand in their place.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/emulated/emulator/kernel_error.h"
#include "runtime/emulated/emulator/observe.h"

using alphasparse::emulator::Access;
using alphasparse::emulator::AccessKind;
using alphasparse::emulator::machine;
using alphasparse::emulator::Mode;
using alphasparse::emulator::observe;

#define COUNTER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define ADDRESS reinterpret_cast<std::uintptr_t>(address)

#define ACCESS_HOOKS(bytes)                                     \
  void __tsan_read##bytes(void* address) {                      \
    observe<AccessKind::read, true>(ADDRESS, bytes, COUNTER);   \
  }                                                             \
  void __tsan_write##bytes(void* address) {                     \
    observe<AccessKind::write, true>(ADDRESS, bytes, COUNTER);  \
  }                                                             \
  void __tsan_unaligned_read##bytes(void* address) {            \
    observe<AccessKind::read, false>(ADDRESS, bytes, COUNTER);  \
  }                                                             \
  void __tsan_unaligned_write##bytes(void* address) {           \
    observe<AccessKind::write, false>(ADDRESS, bytes, COUNTER); \
  }                                                             \
  void __tsan_volatile_read##bytes(void* address) {             \
    observe<AccessKind::read, true>(ADDRESS, bytes, COUNTER);   \
  }                                                             \
  void __tsan_volatile_write##bytes(void* address) {            \
    observe<AccessKind::write, true>(ADDRESS, bytes, COUNTER);  \
  }

namespace {

/// A struct that is copied whole: word by word, as far as its bytes go.
template <AccessKind kind>
void observe_range(std::uintptr_t address, std::size_t bytes, std::uintptr_t counter) {
  for (std::size_t done = 0; done < bytes;) {
    const unsigned step = bytes - done >= 4 && (address + done) % 4 == 0 ? 4 : 1;
    observe<kind, false>(address + done, step, counter);
    done += step;
  }
}

}  // namespace

extern "C" {

ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)

void __tsan_read_range(void* address, std::size_t bytes) {
  observe_range<AccessKind::read>(ADDRESS, bytes, COUNTER);
}
void __tsan_write_range(void* address, std::size_t bytes) {
  observe_range<AccessKind::write>(ADDRESS, bytes, COUNTER);
}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  observe_range<AccessKind::read>(reinterpret_cast<std::uintptr_t>(from), bytes, COUNTER);
  observe_range<AccessKind::write>(reinterpret_cast<std::uintptr_t>(to), bytes, COUNTER);
  return std::memcpy(to, from, bytes);
}
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  observe_range<AccessKind::write>(reinterpret_cast<std::uintptr_t>(to), bytes, COUNTER);
  return std::memset(to, value, bytes);
}

void __sanitizer_cov_trace_pc() {
  if (machine.mode == Mode::plain) return;
  if (--machine.warp().blocks_left < 0) {
    alphasparse::emulator::endless("a loop that does not end");
  }
  if (machine.mode == Mode::count) {
    alphasparse::emulator::record({0, static_cast<std::uint32_t>(COUNTER - machine.module.base), 0,
                                   0, AccessKind::enter_block});
  }
}

}  // extern "C"
