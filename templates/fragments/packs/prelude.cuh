// prelude: the numbers of a kernel for several vectors, and the vectors of a launch. A Value has
// the neighbours in a row of X or Y that one pass over A takes.
#pragma once
#ifndef ALPHASPARSE_VALUE
#define ALPHASPARSE_VALUE float
#define ALPHASPARSE_VECTORS 2
#define ALPHASPARSE_PASS_COLUMNS 2
#endif
using Real = ALPHASPARSE_VALUE;
/// Columns of X and Y that one pass over A takes, and all of them.
constexpr int pass_columns = ALPHASPARSE_PASS_COLUMNS, vectors = ALPHASPARSE_VECTORS;
constexpr int warp_size = 32;

/// Loads and stores take as much of it as they can at once, up to 16 bytes.
constexpr int value_alignment = pass_columns * sizeof(Real) < 16 ? pass_columns * sizeof(Real) : 16;
struct Value {
  alignas(value_alignment) Real part[pass_columns];

  Value() = default;
  /// The same number in all columns.
  __device__ __forceinline__ Value(Real all) {
#pragma unroll
    for (int k = 0; k < pass_columns; ++k) part[k] = all;
  }
  __device__ __forceinline__ Value& operator+=(Value other) {
#pragma unroll
    for (int k = 0; k < pass_columns; ++k) part[k] += other.part[k];
    return *this;
  }

  // CUDA's own of all columns: found for a Value alone, they hide none of CUDA's.
  [[maybe_unused]] friend __device__ __forceinline__ void atomicAdd(Value* sum, Value more) {
#pragma unroll
    for (int k = 0; k < pass_columns; ++k) atomicAdd(&sum->part[k], more.part[k]);
  }
  [[maybe_unused]] friend __device__ __forceinline__ Value __shfl_sync(unsigned lanes, Value value,
                                                                       int lane, int width = 32) {
#pragma unroll
    for (int k = 0; k < pass_columns; ++k)
      value.part[k] = __shfl_sync(lanes, value.part[k], lane, width);
    return value;
  }
  [[maybe_unused]] friend __device__ __forceinline__ Value __shfl_up_sync(unsigned lanes,
                                                                          Value value, int step,
                                                                          int width = 32) {
#pragma unroll
    for (int k = 0; k < pass_columns; ++k)
      value.part[k] = __shfl_up_sync(lanes, value.part[k], unsigned(step), width);
    return value;
  }
  [[maybe_unused]] friend __device__ __forceinline__ Value __shfl_down_sync(unsigned lanes,
                                                                            Value value, int step,
                                                                            int width = 32) {
#pragma unroll
    for (int k = 0; k < pass_columns; ++k)
      value.part[k] = __shfl_down_sync(lanes, value.part[k], unsigned(step), width);
    return value;
  }
};

[[maybe_unused]] __device__ __forceinline__ Value operator*(Real factor, Value value) {
#pragma unroll
  for (int k = 0; k < pass_columns; ++k) value.part[k] *= factor;
  return value;
}

[[maybe_unused]] __device__ __forceinline__ Value operator*(Value a, Value b) {
#pragma unroll
  for (int k = 0; k < pass_columns; ++k) a.part[k] *= b.part[k];
  return a;
}

[[maybe_unused]] __device__ __forceinline__ Value operator+(Value a, Value b) { return a += b; }

[[maybe_unused]] __device__ __forceinline__ Value operator-(Value a, Value b) {
  return a += Real(-1) * b;
}

/// X: element [column] belongs to that column of A. An index times ld has 64 bits.
struct Input {
  const Real* __restrict__ x;
  long long ld;  // from one column's element to the next

  __device__ __forceinline__ Input(const Real* first, long long distance)
      : x(first), ld(distance) {}
  __device__ __forceinline__ explicit Input(const Value* first)
      : Input(first->part, pass_columns) {}
  __device__ __forceinline__ const Value& operator[](long long col) const {
    return reinterpret_cast<const Value&>(x[ld * col]);
  }
};

/// Y = alpha * A * X + beta * Y. beta == 0 never reads Y.
struct Output {
  Real* __restrict__ y;
  Real alpha, beta;
  long long ld;  // from one row's element to the next
  __device__ __forceinline__ Value& operator[](long long row) const {
    return reinterpret_cast<Value&>(y[ld * row]);
  }
};
