// multiply_rows: a product by a team, of vectors in memory.
#pragma once
#include "team.h"

inline void multiply_rows(const Team& team, Value alpha, const void* x, std::int64_t, Value beta,
                          void* y, std::int64_t) {
  multiply(team, Input{static_cast<const Value*>(x)},
           {static_cast<Value*>(y), alpha, beta, -1, nullptr});
}
