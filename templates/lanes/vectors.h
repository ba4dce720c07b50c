#pragma once
#include "gang_values.h"

/// x: element [column] belongs to that column of A. An index times ld has 64 bits.
struct Input {
  const Value* __restrict__ x;
  static constexpr std::int64_t ld = 1;  // from one column's element to the next
  INLINE const Value& operator[](std::int64_t column) const { return x[ld * column]; }
  INLINE Input operator+(std::int64_t columns) const { return {x + ld * columns}; }
};

/// y = alpha * A * x + beta * y. beta == 0 never reads y. Tasks take their shares of an SpMV at the
/// same time. A task's sum of a row that its neighbour may write waits in its carry.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
  int carry_row;  // the first row of a task; -1: it is the first task
  Value* carry;
  static constexpr std::int64_t ld = 1;  // from one row's element to the next
  INLINE Value& operator[](std::int64_t row) const { return y[ld * row]; }
};
