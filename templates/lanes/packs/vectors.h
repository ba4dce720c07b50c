// vectors: the rows of X and Y, of which a task takes as many neighbours as a Value has.
#pragma once
#include "gang_values.h"

/// X: element [column] belongs to that column of A. An index times ld has 64 bits.
struct Input {
  const Real* __restrict__ x;
  std::int64_t ld;  // from one column's element to the next

  INLINE Input(const Real* first, std::int64_t distance) : x(first), ld(distance) {}
  INLINE explicit Input(const Value* first)
      : Input(reinterpret_cast<const Real*>(first), pass_columns) {}
  INLINE const Value& operator[](std::int64_t column) const {
    return reinterpret_cast<const Value&>(x[ld * column]);
  }
  INLINE Input operator+(std::int64_t columns) const { return {x + ld * columns, ld}; }
};

/// Y = alpha * A * X + beta * Y. beta == 0 never reads Y. Tasks take their shares of a product at
/// the same time. A task's sum of a row that its neighbour may write waits in its carry.
struct Output {
  Real* __restrict__ y;
  Real alpha, beta;
  int carry_row;  // the first row of a task; -1: it is the first task
  Value* carry;
  std::int64_t ld;  // from one row's element to the next
  INLINE Value& operator[](std::int64_t row) const { return reinterpret_cast<Value&>(y[ld * row]); }
};
