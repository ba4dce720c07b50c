// compress | block_merge_path items=896 | thread_merge_path items=7 | thread_merge | shared_offset
// | global_carry | launch threads=128

/// The format, 26692 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;           // [2553] value of each stored entry
  const int* column_;            // [2553] column of each stored entry
  const int* thread_first_nz_;   // [513] non-zeros before each thread's piece of the merge path
  const int* thread_first_row_;  // [513] row that is open where it begins
  const int* row_first_nz_;      // [530] first non-zero of each row
  const int* carry_row_;         // [5] rows of y that tiles share
  const int* carry_first_;       // [6] first carry of each of them
  Value* carry_;                 // [8] parts of rows that tiles share, two a tile

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int thread_first_nz(int i) const { return thread_first_nz_[i]; }
  __device__ __forceinline__ int thread_first_row(int i) const { return thread_first_row_[i]; }
  __device__ __forceinline__ int row_first_nz(int i) const { return row_first_nz_[i]; }
  __device__ __forceinline__ int carry_row(int i) const { return carry_row_[i]; }
  __device__ __forceinline__ int carry_first(int i) const { return carry_first_[i]; }
  __device__ __forceinline__ Value* carry() const { return carry_; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(128, 8)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ thread_first_nz_, const int* __restrict__ thread_first_row_,
        const int* __restrict__ row_first_nz_, const int* __restrict__ carry_row_,
        const int* __restrict__ carry_first_, Value* __restrict__ carry_,
        const Value* __restrict__ x_, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, thread_first_nz_, thread_first_row_, row_first_nz_, carry_row_,
      carry_first_, carry_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  __shared__ Value table[4];
  __shared__ Value products[896];
  __shared__ int row_ends[896];
  __shared__ unsigned flags[4];
  const int block = blockIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const int thread = block * 128 + threadIdx.x;
  const int first_row = f.thread_first_row(block * 128);
  const auto row_end = [&](int row) { return f.row_first_nz(row + 1); };
  const auto row_of = [&](int row) { return row; };
  const auto emit = [&](int row, Value sum) { global_store(out, row, sum); };
  // The tile's first and last row may have parts in its neighbours.
  const auto edge = [&](int row, Value sum) {
    global_carry(f.carry(), block, row != first_row, sum);
  };
  const int open_row = f.thread_first_row(thread);
  const int end_row = f.thread_first_row(thread + 1);
  const int first_nz = f.thread_first_nz(block * 128);
  stage_path<128, 7>(products, first_nz, f.thread_first_nz((block + 1) * 128), term, row_ends,
      first_row, f.thread_first_row((block + 1) * 128), row_end);
  const auto product = [&](int entry) { return products[entry - first_nz]; };
  const auto staged_end = [&](int row) { return row_ends[row - first_row]; };
  const HeadTail part = thread_merge(f.thread_first_nz(thread), f.thread_first_nz(thread + 1),
      open_row, end_row, staged_end, product, row_of, emit);
  shared_segment<128>(part, table, flags, row_of, emit, edge);
}

// The rows that tiles share: their parts in order, launched last.
extern "C" __global__ void __launch_bounds__(128)
    spmv_carry(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ thread_first_nz_, const int* __restrict__ thread_first_row_,
        const int* __restrict__ row_first_nz_, const int* __restrict__ carry_row_,
        const int* __restrict__ carry_first_, Value* __restrict__ carry_, const Value* __restrict__,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, thread_first_nz_, thread_first_row_, row_first_nz_, carry_row_,
      carry_first_, carry_};
  const Output out{y, alpha, beta};
  const int index = blockIdx.x * 128 + threadIdx.x;
  if (index < 5) {
    const Value sum = carry_total<1>(f.carry(), f.carry_first(index), f.carry_first(index + 1), 0);
    global_store(out, f.carry_row(index), sum);
  }
}
