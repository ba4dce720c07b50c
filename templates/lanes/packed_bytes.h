// packed_bytes: one field of a chunk. Its fields have 1, 2 or 4 bytes, or none: then a field is its
// index.
//
// `head` is 4 * the chunk's first word + 0, 1, 2 or 3: no, 1, 2 or 4 bytes.
#pragma once
#include "gather.h"

template <class T>
INLINE int byte_field(const unsigned* first, int index) {
  T field;
  std::memcpy(&field, reinterpret_cast<const char*>(first) + index * sizeof(T), sizeof field);
  return field;
}

INLINE int packed_bytes(const unsigned* words, int head, int index) {
  const unsigned* const first = words + (head >> 2);
  switch (head & 3) {
    case 0:
      return index;
    case 1:
      return byte_field<unsigned char>(first, index);
    case 2:
      return byte_field<unsigned short>(first, index);
    default:
      return byte_field<int>(first, index);
  }
}

/// The fields of neighbouring indices in one chunk, above its base.
template <int G>
struct Bytes {
  static constexpr int gang = G;
  const unsigned* words;
  int head;
  Run<G> index;
  int base = 0, lanes = index.lanes;

  INLINE int operator[](int lane) const { return base + packed_bytes(words, head, index[lane]); }
};

template <int G>
INLINE Bytes<G> packed_bytes(const unsigned* words, int head, Run<G> index) {
  return {words, head, index};
}

template <int G>
INLINE Bytes<G> operator+(int base, const Bytes<G>& bytes) {
  return {bytes.words, bytes.head, bytes.index, base};
}

template <int G>
INLINE Bytes<G> operator+(const Bytes<G>& bytes, int base) {
  return base + bytes;
}

template <int G>
INLINE Bytes<G> operator-(const Bytes<G>& bytes, int base) {
  return -base + bytes;
}

/// All lanes have as many bytes: a run needs no gather.
template <class X, int G>
INLINE Lanes<G> gather(X x, const Bytes<G>& columns) {
  const X base = x + columns.base;
  const unsigned* const first = columns.words + (columns.head >> 2);
  const int index = columns.index.first;
  switch (columns.head & 3) {
    case 0:
      return gather(base, Run<G>{index});
    case 1:
      return gather_all<G>(base, reinterpret_cast<const unsigned char*>(first) + index);
    case 2:
      return gather_all<G>(base, reinterpret_cast<const unsigned short*>(first) + index);
    default:
      return gather_all<G>(base, reinterpret_cast<const int*>(first) + index);
  }
}
