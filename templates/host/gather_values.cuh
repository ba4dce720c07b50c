// gather_values: two kernels beside the SpMV. One copies values on the device to their places in
// the format, the other scales y.
#pragma once
#include <cuda_runtime.h>

constexpr int block_threads = 256;

/// Each entry of a value array: indices[entry] is where its value stands in the canonical order, or
/// -1 for a pad, which has the value 0.
template <class Number>
static __global__ void __launch_bounds__(block_threads)
    gather_values(Number* stored, const int* indices, unsigned count, const Number* canonical) {
  const unsigned entry = blockIdx.x * block_threads + threadIdx.x;
  if (entry >= count) return;
  const int index = indices[entry];
  stored[entry] = index < 0 ? Number(0) : canonical[index];
}

/// y = beta * y, which is the SpMV where alpha is 0: neither the matrix nor x is read, as BLAS has
/// it, so that no Inf or NaN of theirs comes in. beta == 0 does not read y.
template <class Number>
static __global__ void __launch_bounds__(block_threads)
    scale_y(Number* y, unsigned rows, Number beta) {
  const unsigned row = blockIdx.x * block_threads + threadIdx.x;
  if (row < rows) y[row] = beta == 0 ? Number(0) : beta * y[row];
}
