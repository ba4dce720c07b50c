// packed_bytes: one field of a chunk whose fields have 1, 2 or 4 bytes, or none: then it is its
// place.
//
// `head` is 4 * the chunk's first word + 0, 1, 2 or 3: no, 1, 2 or 4 bytes.
#pragma once
#include "prelude.cuh"

__device__ __forceinline__ int packed_bytes(const unsigned* words, int head, int place) {
  const unsigned* const first = words + (head >> 2);
  switch (head & 3) {
    case 0:
      return place;
    case 1:
      return __ldg(reinterpret_cast<const unsigned char*>(first) + place);
    case 2:
      return __ldg(reinterpret_cast<const unsigned short*>(first) + place);
    default:
      return __ldg(first + place);
  }
}
