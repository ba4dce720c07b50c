// thread_total_mix: each lane of a gang adds the products of its row's blocks of COLS neighbouring
// columns, and those of its single entries.
//
// A lane has the blocks first_block, first_block + step, ... below end_block. Blocks with numbers
// side by side have their COLS values so too, and x is loaded by runs. Its single entries are at
// first, first + step, ... below end. A cell of a block that the row does not have is 0, which an
// Inf or NaN of x still makes NaN. Sums of blocks that are not finite are added up again, without
// the cells whose bit is not set. Sources: SPC5 (Bramas, Kus 2018) and SELL (Kreutzer, Hager,
// Wellein, Fehske, Bishop 2014).
#pragma once
#include "finite.h"
#include "gather_runs.h"

/// Replaces the sums that are not finite.
template <int COLS, int G, class ColumnOf, class ValueOf, class BitsOf>
__attribute__((noinline)) void add_without_pads(Run<G> first_block, int end_block, int step,
                                                Input x, ColumnOf column_of, ValueOf value_of,
                                                BitsOf bits_of, Lanes<G>& sums) {
  alignas(64) Value lanes[G], again[G] = {};
  for (Run<G> block{first_block.first}; block.first < end_block; block.first += step) {
    const auto columns = column_of(block);
    const auto bits = bits_of(block);
    const auto values = value_of(Run<G * COLS>{COLS * block.first});
    for (int cell = 0; cell < G * COLS; ++cell) {
      ONE_BY_ONE;
      const int lane = cell / COLS, c = cell % COLS;
      if (bits[lane] >> c & 1) again[lane] += values[cell] * x[columns[lane] + c];
    }
  }
  std::memcpy(lanes, &sums, sizeof lanes);
  for (int lane = 0; lane < G; ++lane) {
    if (is_not_finite(lanes[lane])) lanes[lane] = again[lane];
  }
  std::memcpy(&sums, lanes, sizeof lanes);
}

template <int COLS, int G, class ColumnOf, class ValueOf, class BitsOf, class Term>
INLINE Lanes<G> thread_total_mix(Run<G> first_block, int end_block, Run<G> first, int end, int step,
                                 Input x, ColumnOf column_of, ValueOf value_of, BitsOf bits_of,
                                 Term term) {
  Lanes<G * COLS> products{};
  for (Run<G> block{first_block.first}; block.first < end_block; block.first += step) {
    const Run<G * COLS> cells{COLS * block.first};
    products += value_of(cells) * gather_runs<COLS>(x, column_of(block));
  }
  Lanes<G> sums = sums_of_runs<COLS>(products);
  if (any_not_finite(sums)) {
    add_without_pads<COLS>(first_block, end_block, step, x, column_of, value_of, bits_of, sums);
  }
  for (Run<G> entry{first.first}; entry.first < end; entry.first += step) sums += term(entry);
  return sums;
}
