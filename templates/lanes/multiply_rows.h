// multiply_rows: a product by a team, of vectors in memory.
#pragma once
#include "team.h"

inline void multiply_rows(const Team& team, double alpha, const void* x, std::int64_t, double beta,
                          void* y, std::int64_t) {
  multiply(
      team, Input{static_cast<const Value*>(x)},
      {static_cast<Value*>(y), static_cast<Value>(alpha), static_cast<Value>(beta), -1, nullptr});
}
