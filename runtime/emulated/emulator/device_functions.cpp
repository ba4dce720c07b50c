// device_functions: the functions that the shim declares and a kernel calls - its indices, the
// atomics, and copies of whole vectors.
#include <atomic>
#include <cstdint>
#include <cstring>

#include "runtime/emulated/emulator/observe.h"

using alphasparse::emulator::AccessKind;
using alphasparse::emulator::machine;
using alphasparse::emulator::observe;

namespace {

struct Index3 {
  unsigned x, y, z;
};

/// Replaces *address by combine(old value) and returns the old value. Where one process runs one
/// thread at a time it is enough to be observed as atomic.
template <class T, class Combine>
[[gnu::always_inline]] inline T modify(T* address, std::uintptr_t counter, Combine combine) {
  observe<AccessKind::atomic, true>(reinterpret_cast<std::uintptr_t>(address), sizeof(T), counter);
  T old = *address;
  if (machine.team.is_alone()) {
    *address = combine(old);
    return old;
  }
  const std::atomic_ref<T> shared(*address);
  while (!shared.compare_exchange_weak(old, combine(old))) {
  }
  return old;
}

}  // namespace

#define COUNTER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

#define ATOMIC(name, type, suffix, expression)                                             \
  type emulator_##name##_##suffix(type* address, type operand) {                           \
    return modify(address, COUNTER, [operand](type old) -> type { return (expression); }); \
  }

#define ATOMIC_INTEGERS(type, suffix)                                                         \
  ATOMIC(atomicAdd, type, suffix, static_cast<type>(old + operand))                           \
  ATOMIC(atomicExch, type, suffix, (static_cast<void>(old), operand))                         \
  ATOMIC(atomicMax, type, suffix, old < operand ? operand : old)                              \
  ATOMIC(atomicMin, type, suffix, operand < old ? operand : old)                              \
  ATOMIC(atomicAnd, type, suffix, old& operand)                                               \
  ATOMIC(atomicOr, type, suffix, old | operand)                                               \
  type emulator_atomicCAS_##suffix(type* address, type expected, type value) {                \
    return modify(address, COUNTER, [=](type old) { return old == expected ? value : old; }); \
  }

extern "C" {

Index3 emulator_thread_index() { return {static_cast<unsigned>(machine.thread()), 0, 0}; }
Index3 emulator_block_index() { return {static_cast<unsigned>(machine.block), 0, 0}; }
Index3 emulator_block_size() { return {static_cast<unsigned>(machine.threads), 1, 1}; }
Index3 emulator_grid_size() { return {static_cast<unsigned>(machine.blocks), 1, 1}; }

void emulator_fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }

void emulator_copy_vector(void* to, const void* from, unsigned bytes) {
  observe<AccessKind::read, true>(reinterpret_cast<std::uintptr_t>(from), bytes, COUNTER);
  observe<AccessKind::write, true>(reinterpret_cast<std::uintptr_t>(to), bytes, COUNTER);
  std::memcpy(to, from, bytes);
}

ATOMIC_INTEGERS(int, i32)
ATOMIC_INTEGERS(unsigned, u32)
ATOMIC_INTEGERS(unsigned long long, u64)
ATOMIC(atomicAdd, float, f32, old + operand)
ATOMIC(atomicAdd, double, f64, old + operand)
ATOMIC(atomicExch, float, f32, (static_cast<void>(old), operand))

}  // extern "C"
