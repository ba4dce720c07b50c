// csr_format: the format that the kernels of this folder read; stands in front of each of them.
struct Format {
  const int* row_first;  // [ROWS + 1]
  const int* column;     // [ENTRIES]
  const Value* value;    // [ENTRIES]
};

__device__ __forceinline__ void store(const Output& out, int row, Value sum) {
  out[row] = out.alpha * sum + (out.beta == 0 ? Value(0) : out.beta * out[row]);
}

__device__ __forceinline__ Value row_sum(const Format& f, Input x, int row, int lane = 0,
                                         int step = 1) {
  Value sum = 0;
  for (int nz = f.row_first[row] + lane; nz < f.row_first[row + 1]; nz += step) {
    sum += __ldcs(f.value + nz) * x[f.column[nz]];
  }
  return sum;
}

constexpr unsigned all_lanes = 0xffffffffu;

#define KERNEL(threads)                                                                           \
  __device__ __forceinline__ void body(const Format& f, Input x, const Output& out);              \
  extern "C" __global__ void __launch_bounds__(threads)                                           \
      spmv(const int* row_first, const int* column, const Value* value, const Value* x, Value* y, \
           Value alpha, Value beta) {                                                             \
    body(Format{row_first, column, value}, Input{x}, Output{y, alpha, beta});                     \
  }                                                                                               \
  __device__ __forceinline__ void body(const Format& f, Input x, const Output& out)
