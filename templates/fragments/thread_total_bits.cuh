// thread_total_bits: one thread, or one of LANES neighbours, adds products of a row with its
// non-zeros in bitmap blocks of COLS columns.
//
// Bit first_bit + c of a block says that the row has column c of it; the values of a block's bits
// are packed, so a value's place is the number of bits below its own. The thread takes columns
// lane, lane + LANES, ... of every block. Source: bitmap-compressed blocks (Zhang, Gruenwald 2018).
#pragma once
#include "prelude.cuh"

template <int COLS, int LANES, class BitsOf, class EntryOf, class ColumnOf, class Term>
__device__ __forceinline__ Value thread_total_bits(int first_block, int end_block, int first_bit,
                                                   int lane, BitsOf bits_of, EntryOf entry_of,
                                                   ColumnOf column_of, Term term) {
  Value sum = 0;
  for (int block = first_block; block < end_block; ++block) {
    const unsigned bits = bits_of(block);
    const int entry = entry_of(block), column = column_of(block);
    for (int c = lane; c < COLS; c += LANES) {
      const unsigned bit = 1u << (first_bit + c);
      if (bits & bit) sum += term(entry + __popc(bits & (bit - 1)), column + c);
    }
  }
  return sum;
}
