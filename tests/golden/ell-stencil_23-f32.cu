// compress | thread_rows rows=1 | thread_pad | interleave | thread_total batch=8 | global_store |
// launch threads=256

/// The format, 21760 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [2720] value of each stored entry; 0 for a pad
  const int* column_;   // [2720] column of each stored entry

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256, 4)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const Value* __restrict__ x_, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 529;
  constexpr int stride = 544;
  const int row = blockIdx.x * 256 + threadIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (row < rows) {
    const Value sum = thread_total_count<5>(row, stride, term);
    global_store(out, row, sum);
  }
}
