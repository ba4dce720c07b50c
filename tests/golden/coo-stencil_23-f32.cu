// compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=256

/// The format, 30636 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;     // [2553] value of each stored entry
  const int* column_;      // [2553] column of each stored entry
  const int* thread_row_;  // [2553] row of y of each thread

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int thread_row(int i) const { return thread_row_[i]; }
};

// The rows that are added to, or have no entries: y = beta * y, launched first.
extern "C" __global__ void __launch_bounds__(256)
    spmv_init(const Value* __restrict__, const int* __restrict__, const int* __restrict__,
        const Value* __restrict__, Value* __restrict__ y, Value alpha, Value beta) {
  const Output out{y, alpha, beta};
  const int index = blockIdx.x * 256 + threadIdx.x;
  if (index < 529) global_init(out, index);
}

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256, 4)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ thread_row_, const Value* __restrict__ x_, Value* __restrict__ y,
        Value alpha, Value beta) {
  const Format f{value_, column_, thread_row_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int threads = 2553;
  const int thread = blockIdx.x * 256 + threadIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (thread < threads) {
    const int y_row = f.thread_row(thread);
    const Value sum = term(thread);
    global_atomic(out, y_row, sum);
  }
}
