// compress | block_rows nnz=1024 | thread_nnz nnz=1 | thread_total | shared_offset | global_store |
// launch threads=256

/// The format, 22576 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;             // [2553] value of each stored entry
  const int* column_;              // [2553] column of each stored entry
  const int* block_first_thread_;  // [4] first thread of each block
  const int* block_first_row_;     // [4] first row of each block
  const int* row_first_thread_;    // [530] first thread of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int block_first_thread(int i) const { return block_first_thread_[i]; }
  __device__ __forceinline__ int block_first_row(int i) const { return block_first_row_[i]; }
  __device__ __forceinline__ int row_first_thread(int i) const { return row_first_thread_[i]; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256, 4)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ block_first_thread_, const int* __restrict__ block_first_row_,
        const int* __restrict__ row_first_thread_, const Value* __restrict__ x_,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, block_first_thread_, block_first_row_, row_first_thread_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  __shared__ Value table[1023];
  const int block = blockIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const int block_first_thread = f.block_first_thread(block);
  const int block_end_thread = f.block_first_thread(block + 1);
  const int block_first_row = f.block_first_row(block);
  const int block_end_row = f.block_first_row(block + 1);
  const auto first_slot = [&](int row) { return f.row_first_thread(row) - block_first_thread; };
  const auto emit = [&](int row, Value sum) { global_store(out, row, sum); };
  for (int thread = block_first_thread + threadIdx.x; thread < block_end_thread; thread += 256) {
    table[thread - block_first_thread] = term(thread);
  }
  __syncthreads();
  shared_offset<256>(table, block_first_row, block_end_row, first_slot, emit);
}
