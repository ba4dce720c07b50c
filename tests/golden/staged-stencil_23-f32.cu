// compress | block_rows rows=8 | stage_x columns=listed | thread_cols lanes=4 | thread_total |
// warp_total | global_store | launch threads=64 grid=2

/// The format, 29492 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [2553] value of each stored entry
  // [2553] place of each stored entry's column in its block's slice of x
  const int* column_;
  const int* slice_column_;       // [1669] column of each element of a slice of x
  const int* block_first_slice_;  // [68] first element of each block's slice of x
  const int* row_first_nz_;       // [530] first non-zero of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int slice_column(int i) const { return slice_column_[i]; }
  __device__ __forceinline__ int block_first_slice(int i) const { return block_first_slice_[i]; }
  // first row of each block; linear with a short end
  __device__ __forceinline__ int block_first_row(int i) const { return min(8 * i, 529); }
  __device__ __forceinline__ int row_first_nz(int i) const { return row_first_nz_[i]; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(64)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ slice_column_, const int* __restrict__ block_first_slice_,
        const int* __restrict__ row_first_nz_, const Value* __restrict__ x_, Value* __restrict__ y,
        Value alpha, Value beta) {
  const Format f{value_, column_, slice_column_, block_first_slice_, row_first_nz_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  __shared__ Value x_slice[26];
  constexpr int blocks = 67;
  constexpr int lanes = 4;
  const int group_lane = threadIdx.x % lanes;
  const auto term = [&](int entry) { return f.value(entry) * x_slice[f.column(entry)]; };
  for (int block = blockIdx.x; block < blocks; block += 2) {
    const int slice_first = f.block_first_slice(block);
    const auto staged_column = [&](int index) { return f.slice_column(slice_first + index); };
    stage_x<64>(x_slice, f.block_first_slice(block + 1) - slice_first, x, staged_column);
    const int block_end_row = f.block_first_row(block + 1);
    const int row = f.block_first_row(block) + threadIdx.x / lanes;
    Value sum = 0;
    if (row < block_end_row)
      sum = thread_total(f.row_first_nz(row) + group_lane, f.row_first_nz(row + 1), lanes, term);
    const Value warp_sum = warp_total<4>(sum);
    if (row < block_end_row && group_lane == 0) global_store(out, row, warp_sum);
    __syncthreads();
  }
}
