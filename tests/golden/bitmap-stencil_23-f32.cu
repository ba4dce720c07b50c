// bitmap_block_peel cols=8 share=5 { compress | warp_rows rows=8 | thread_cols lanes=4 |
// thread_total | warp_total | global_store | launch threads=128 } { compress | thread_nnz nnz=1 |
// thread_total | global_atomic | launch threads=128 }

/// A branch's part of the format, 13288 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;           // [2294] value of each stored entry
  const int* band_first_block_;  // [68] first block of each band of 8 rows
  const int* block_first_col_;   // [192] first column of each block
  // [384] bit r * 8 + c: row r of this half of the block has column c
  const unsigned* block_bits_;
  const int* block_first_entry_;  // [384] stored position of the first bit of each half of a block

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int band_first_block(int i) const { return band_first_block_[i]; }
  __device__ __forceinline__ int block_first_col(int i) const { return block_first_col_[i]; }
  __device__ __forceinline__ unsigned block_bits(int i) const { return block_bits_[i]; }
  __device__ __forceinline__ int block_first_entry(int i) const { return block_first_entry_[i]; }
  // first row of each warp; linear with a short end
  __device__ __forceinline__ int warp_first_row(int i) const { return min(8 * i, 529); }
};

/// A branch's part of the format, 3108 bytes; every array is read through a function of its name.
struct Branch2 {
  const Value* value_;     // [259] value of each stored entry
  const int* column_;      // [259] column of each stored entry
  const int* thread_row_;  // [259] row of y of each thread

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int thread_row(int i) const { return thread_row_[i]; }
};

/// The format, 16396 bytes.
struct Format {
  Branch1 branch_1;  // bitmap blocks of 8 x 8
  Branch2 branch_2;  // what lies in no full block
};

// Branch 1: bitmap blocks of 8 x 8.
extern "C" __global__ void __launch_bounds__(128)
    spmv_1(const Value* __restrict__ branch_1_value_,
        const int* __restrict__ branch_1_band_first_block_,
        const int* __restrict__ branch_1_block_first_col_,
        const unsigned* __restrict__ branch_1_block_bits_,
        const int* __restrict__ branch_1_block_first_entry_, const Value* __restrict__,
        const int* __restrict__, const int* __restrict__, const Value* __restrict__ x_,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Branch1 f{branch_1_value_, branch_1_band_first_block_, branch_1_block_first_col_,
      branch_1_block_bits_, branch_1_block_first_entry_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int warps = 67;
  constexpr int lanes = 4;
  const int warp = blockIdx.x * 4 + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  const int group_lane = threadIdx.x % lanes;
  const auto term = [&](int entry, int column) { return f.value(entry) * x[column]; };
  if (warp < warps) {
    const int warp_end_row = f.warp_first_row(warp + 1);
    const int row = f.warp_first_row(warp) + lane / lanes;
    const int band = row / 8;
    const int half = row % 8 / 4;
    const auto bits_of = [&](int block) { return f.block_bits(2 * block + half); };
    const auto entry_of = [&](int block) { return f.block_first_entry(2 * block + half); };
    const auto column_of = [&](int block) { return f.block_first_col(block); };
    Value sum = 0;
    if (row < warp_end_row)
      sum = thread_total_bits<8, 4>(f.band_first_block(band), f.band_first_block(band + 1),
          row % 4 * 8, group_lane, bits_of, entry_of, column_of, term);
    const Value warp_sum = warp_total<4>(sum);
    if (row < warp_end_row && group_lane == 0) global_store(out, row, warp_sum);
  }
}

// Branch 2: what lies in no full block.
extern "C" __global__ void __launch_bounds__(128, 8)
    spmv_2(const Value* __restrict__, const int* __restrict__, const int* __restrict__,
        const unsigned* __restrict__, const int* __restrict__,
        const Value* __restrict__ branch_2_value_, const int* __restrict__ branch_2_column_,
        const int* __restrict__ branch_2_thread_row_, const Value* __restrict__ x_,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Branch2 f{branch_2_value_, branch_2_column_, branch_2_thread_row_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int threads = 259;
  const int thread = blockIdx.x * 128 + threadIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (thread < threads) {
    const int y_row = f.thread_row(thread);
    const Value sum = term(thread);
    global_atomic(out, y_row, sum);
  }
}
