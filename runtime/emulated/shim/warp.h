// warp: barriers, shuffles and votes. Each call carries the source line that it stands on: threads
// that wait together at different lines are told so.
#pragma once

extern "C" {
void emulator_block_barrier(int line);
int emulator_block_vote(int predicate, int kind, int line);  // kind: 0 count, 1 and, 2 or
void emulator_warp_barrier(unsigned mask, int line);
// kind: 0 from a lane, 1 up, 2 down, 3 xor. The value travels as 64 bits.
unsigned long long emulator_shuffle(unsigned mask, unsigned long long bits, int argument, int width,
                                    int kind, int line);
unsigned emulator_ballot(unsigned mask, int predicate, int line);
unsigned emulator_match_any(unsigned mask, unsigned long long bits, int line);
unsigned emulator_active_mask();
void emulator_fence();
}

template <class T>
EMULATOR_INLINE unsigned long long emulator_to_bits(T value) {
  static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
  if constexpr (sizeof(T) == 8) return __builtin_bit_cast(unsigned long long, value);
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(unsigned, value);
  if constexpr (sizeof(T) == 2) return __builtin_bit_cast(unsigned short, value);
  if constexpr (sizeof(T) == 1) return __builtin_bit_cast(unsigned char, value);
}

template <class T>
EMULATOR_INLINE T emulator_from_bits(unsigned long long bits) {
  if constexpr (sizeof(T) == 8) return __builtin_bit_cast(T, bits);
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(T, static_cast<unsigned>(bits));
  if constexpr (sizeof(T) == 2) return __builtin_bit_cast(T, static_cast<unsigned short>(bits));
  if constexpr (sizeof(T) == 1) return __builtin_bit_cast(T, static_cast<unsigned char>(bits));
}

EMULATOR_INLINE void __syncthreads(EMULATOR_LINE) { emulator_block_barrier(line); }
EMULATOR_INLINE int __syncthreads_count(int predicate, EMULATOR_LINE) {
  return emulator_block_vote(predicate, 0, line);
}
EMULATOR_INLINE int __syncthreads_and(int predicate, EMULATOR_LINE) {
  return emulator_block_vote(predicate, 1, line);
}
EMULATOR_INLINE int __syncthreads_or(int predicate, EMULATOR_LINE) {
  return emulator_block_vote(predicate, 2, line);
}
EMULATOR_INLINE void __syncwarp(unsigned mask = 0xffffffffu, EMULATOR_LINE) {
  emulator_warp_barrier(mask, line);
}
EMULATOR_INLINE void __threadfence() { emulator_fence(); }
EMULATOR_INLINE void __threadfence_block() { emulator_fence(); }

template <class T>
EMULATOR_INLINE T __shfl_sync(unsigned mask, T value, int lane, int width = 32, EMULATOR_LINE) {
  return emulator_from_bits<T>(
      emulator_shuffle(mask, emulator_to_bits(value), lane, width, 0, line));
}
template <class T>
EMULATOR_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned step, int width = 32,
                                 EMULATOR_LINE) {
  return emulator_from_bits<T>(
      emulator_shuffle(mask, emulator_to_bits(value), static_cast<int>(step), width, 1, line));
}
template <class T>
EMULATOR_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned step, int width = 32,
                                   EMULATOR_LINE) {
  return emulator_from_bits<T>(
      emulator_shuffle(mask, emulator_to_bits(value), static_cast<int>(step), width, 2, line));
}
template <class T>
EMULATOR_INLINE T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, EMULATOR_LINE) {
  return emulator_from_bits<T>(
      emulator_shuffle(mask, emulator_to_bits(value), bits, width, 3, line));
}

EMULATOR_INLINE unsigned __ballot_sync(unsigned mask, int predicate, EMULATOR_LINE) {
  return emulator_ballot(mask, predicate, line);
}
EMULATOR_INLINE int __any_sync(unsigned mask, int predicate, EMULATOR_LINE) {
  return emulator_ballot(mask, predicate, line) != 0;
}
EMULATOR_INLINE int __all_sync(unsigned mask, int predicate, EMULATOR_LINE) {
  return emulator_ballot(mask, !predicate, line) == 0;
}
template <class T>
EMULATOR_INLINE unsigned __match_any_sync(unsigned mask, T value, EMULATOR_LINE) {
  return emulator_match_any(mask, emulator_to_bits(value), line);
}
EMULATOR_INLINE unsigned __activemask() { return emulator_active_mask(); }
