// compress | block_rows rows=128 | thread_rows rows=1 | thread_pad | interleave | thread_total
// batch=8 | global_store | launch threads=128

/// The format, 24576 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [3072] value of each stored entry; 0 for a pad
  const int* column_;   // [3072] column of each stored entry

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  // first stored entry of each block; linear with a short end
  __device__ __forceinline__ int block_first_entry(int i) const { return min(640 * i, 3072); }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(128, 8)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const Value* __restrict__ x_, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 529;
  constexpr int stride = 128;
  const int block = blockIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const int row = block * 128 + threadIdx.x;
  if (row < rows) {
    const Value sum = thread_total_batch<8>(f.block_first_entry(block) + threadIdx.x,
        f.block_first_entry(block + 1), stride, term);
    global_store(out, row, sum);
  }
}
