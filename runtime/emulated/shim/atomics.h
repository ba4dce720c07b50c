// atomics: read-modify-writes; the emulator observes each as one atomic access.
#pragma once

#define EMULATOR_ATOMIC(Name, Type, Suffix)                                \
  extern "C" Type emulator_##Name##_##Suffix(Type* address, Type operand); \
  EMULATOR_INLINE Type Name(Type* address, Type operand) {                 \
    return emulator_##Name##_##Suffix(address, operand);                   \
  }
#define EMULATOR_ATOMIC_INTEGERS(Name) \
  EMULATOR_ATOMIC(Name, int, i32)      \
  EMULATOR_ATOMIC(Name, unsigned, u32) \
  EMULATOR_ATOMIC(Name, unsigned long long, u64)

EMULATOR_ATOMIC_INTEGERS(atomicAdd)
EMULATOR_ATOMIC(atomicAdd, float, f32)
EMULATOR_ATOMIC(atomicAdd, double, f64)
EMULATOR_ATOMIC_INTEGERS(atomicExch)
EMULATOR_ATOMIC(atomicExch, float, f32)
EMULATOR_ATOMIC_INTEGERS(atomicMax)
EMULATOR_ATOMIC_INTEGERS(atomicMin)
EMULATOR_ATOMIC_INTEGERS(atomicAnd)
EMULATOR_ATOMIC_INTEGERS(atomicOr)

EMULATOR_INLINE int atomicSub(int* address, int operand) { return atomicAdd(address, -operand); }
EMULATOR_INLINE unsigned atomicSub(unsigned* address, unsigned operand) {
  return atomicAdd(address, 0u - operand);
}

#define EMULATOR_ATOMIC_CAS(Type, Suffix)                                                \
  extern "C" Type emulator_atomicCAS_##Suffix(Type* address, Type expected, Type value); \
  EMULATOR_INLINE Type atomicCAS(Type* address, Type expected, Type value) {             \
    return emulator_atomicCAS_##Suffix(address, expected, value);                        \
  }
EMULATOR_ATOMIC_CAS(int, i32)
EMULATOR_ATOMIC_CAS(unsigned, u32)
EMULATOR_ATOMIC_CAS(unsigned long long, u64)
