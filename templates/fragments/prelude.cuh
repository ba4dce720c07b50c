// prelude: the value type, and the vectors of a launch.
#pragma once
#ifndef ALPHASPARSE_VALUE
#define ALPHASPARSE_VALUE float
#endif
using Value = ALPHASPARSE_VALUE;
constexpr int warp_size = 32;

/// x: element [column] belongs to that column of A. An index times ld has 64 bits.
struct Input {
  const Value* __restrict__ x;
  static constexpr long long ld = 1;  // from one column's element to the next
  __device__ __forceinline__ const Value& operator[](long long col) const { return x[ld * col]; }
};

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
  static constexpr long long ld = 1;  // from one row's element to the next
  __device__ __forceinline__ Value& operator[](long long row) const { return y[ld * row]; }
};
