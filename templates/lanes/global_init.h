// global_init: sets a row that no part stores whole (it has no writer, or several) to beta * y,
// or 0.
#pragma once
#include "prelude.h"

INLINE void global_init(const Output& out, int row) {
  out.y[row] = out.beta == 0 ? Value(0) : out.beta * out.y[row];
}
