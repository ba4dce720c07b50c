// thread_total_mirrored: one thread adds the products of a row of one triangle. An entry has two.
// Its value times x of its column belongs to the row. Its mirror image times x of the row belongs
// to the column's row of y, which an earlier part set to beta * y.
//
// The diagonal is its own image; it is the row's first entry where it is there. Nothing here is
// atomic: each thread of a team has rows of y for itself.
#pragma once
#include "prelude.h"

template <class ColumnOf, class ValueOf, class ImageOf>
INLINE Value thread_total_mirrored(int first, int end, int row, Input x, const Output& out,
                                   ColumnOf column_of, ValueOf value_of, ImageOf image_of) {
  const Value row_x = x[row], scaled_x = out.alpha * row_x;
  Value sum = 0;
  if (first < end && column_of(first) == row) sum += value_of(first++) * row_x;
  for (int entry = first; entry < end; ++entry) {
    ONE_BY_ONE;
    const int column = column_of(entry);
    const auto value = value_of(entry);
    sum += value * x[column];
    out[column] += image_of(value) * scaled_x;
  }
  return sum;
}
