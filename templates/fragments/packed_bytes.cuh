// packed_bytes: one field of a chunk. Its fields have 1, 2 or 4 bytes, or none: then a field is its
// index.
//
// `head` is 4 * the chunk's first word + 0, 1, 2 or 3: no, 1, 2 or 4 bytes. A word is read in every
// case, behind the last chunk the one to spare, so that no load waits behind a branch.
#pragma once
#include "prelude.cuh"

__device__ __forceinline__ int packed_bytes(const unsigned* words, int head, unsigned index) {
  const unsigned bytes = (1u << (head & 3)) >> 1, byte = index * bytes;
  const unsigned word = words[(head >> 2) + byte / 4];
  const unsigned field = word >> byte % 4 * 8 & ((1ull << bytes * 8) - 1);
  return bytes == 0 ? index : field;
}
