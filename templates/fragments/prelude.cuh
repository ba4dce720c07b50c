// prelude: the value type, and the output of a launch.
#pragma once
#ifndef ALPHASPARSE_VALUE
#define ALPHASPARSE_VALUE float
#endif
using Value = ALPHASPARSE_VALUE;
constexpr int warp_size = 32;

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
};
