// multiply_rows: a product by a team, in passes over A.
#pragma once
#include "team.h"

/// Y = alpha * A * X + beta * Y, whose rows lie ldx and ldy elements apart.
inline void multiply_rows(const Team& team, double alpha, const void* x, std::int64_t ldx,
                          double beta, void* y, std::int64_t ldy,
                          void (*run)(const Team&, Input, const Output&) = multiply) {
  for (int first = 0; first < vectors; first += pass_columns) {
    run(team, Input(static_cast<const Real*>(x) + first, ldx),
        {static_cast<Real*>(y) + first, static_cast<Real>(alpha), static_cast<Real>(beta), -1,
         nullptr, ldy});
  }
}
