// compress | block_rows nnz=1024 | thread_nnz nnz=1 | thread_total | shared_offset | global_store |
// launch threads=256

/// The format, 2116 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;           // [189] value of each stored entry
  const int* column_;            // [189] column of each stored entry
  const int* row_first_thread_;  // [151] first thread of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  // first thread of each block; linear
  __device__ __forceinline__ int block_first_thread(int i) const { return 189 * i; }
  // first row of each block; linear
  __device__ __forceinline__ int block_first_row(int i) const { return 150 * i; }
  __device__ __forceinline__ int row_first_thread(int i) const { return row_first_thread_[i]; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256, 4)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
         const int* __restrict__ row_first_thread_, const Value* __restrict__ x,
         Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, row_first_thread_};
  const Output out{y, alpha, beta};
  __shared__ Value table[189];
  constexpr int threads = 189;
  const int block = blockIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const int block_first_thread = f.block_first_thread(block);
  const int thread = block * 256 + threadIdx.x;
  const int block_first_row = f.block_first_row(block);
  const int block_end_row = f.block_first_row(block + 1);
  const auto first_slot = [&](int row) { return f.row_first_thread(row) - block_first_thread; };
  const auto emit = [&](int row, Value sum) { global_store(out, row, sum); };
  if (thread < threads) {
    table[thread - block_first_thread] = term(thread);
  }
  __syncthreads();
  shared_offset<256>(table, block_first_row, block_end_row, first_slot, emit);
}
