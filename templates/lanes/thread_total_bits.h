// thread_total_bits: adds products of a row with its non-zeros in bitmap blocks of COLS columns.
//
// Bit first_bit + c of a block says that the row has column c of it; the values of a block's bits
// are packed, so a value's place is the number of bits below its own. Source: bitmap-compressed
// blocks (Zhang, Gruenwald 2018).
#pragma once
#include "prelude.h"

template <int COLS, int LANES, class BitsOf, class EntryOf, class ColumnOf, class Term>
INLINE Value thread_total_bits(int first_block, int end_block, int first_bit, int, BitsOf bits_of,
                               EntryOf entry_of, ColumnOf column_of, Term term) {
  static_assert(LANES == 1);
  Value sum = 0;
  for (int block = first_block; block < end_block; ++block) {
    const unsigned bits = bits_of(block);
    unsigned row_bits = bits >> first_bit & ((1u << COLS) - 1);
    int entry = entry_of(block) + __builtin_popcount(bits & ((1u << first_bit) - 1));
    for (const int column = column_of(block); row_bits != 0; row_bits &= row_bits - 1) {
      sum += term(entry++, column + __builtin_ctz(row_bits));
    }
  }
  return sum;
}
