// compress | block_rows rows=128 | thread_rows rows=1 | thread_pad | interleave | thread_total
// batch=8 | global_store | launch threads=128

/// The format, 6144 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [768] value of each stored entry; 0 for a pad
  const int* column_;   // [768] column of each stored entry

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  // first stored entry of each block; linear
  __device__ __forceinline__ int block_first_entry(int i) const { return 384 * i; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(128, 8)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
         const Value* __restrict__ x, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_};
  const Output out{y, alpha, beta};
  constexpr int rows = 150;
  constexpr int stride = 128;
  const int block = blockIdx.x;
  // A pad of an empty row has column -1 and adds nothing.
  const auto term = [&](int entry) {
    const int column = f.column(entry);
    const Value product = f.value(entry) * x[max(column, 0)];
    return column < 0 ? Value(0) : product;
  };
  const int row = block * 128 + threadIdx.x;
  if (row < rows) {
    const Value sum = thread_total_count<3>(f.block_first_entry(block) + threadIdx.x, stride, term);
    global_store(out, row, sum);
  }
}
