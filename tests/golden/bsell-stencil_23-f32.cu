// dense_block_peel rows=3 cols=3 share=0 { sort_rows_in_bands rows=1024 | warp_bands bands=32 |
// thread_bands | thread_pad | interleave | thread_total | global_store | launch threads=256 } {
// compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=256 }

/// A branch's part of the format, 59844 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;             // [11808] value of each stored entry; 0 for a pad
  const int* block_first_col_;     // [1312] first column of each block
  const unsigned* stored_places_;  // [1312] bit r * 3 + c: row r of the block has its column c
  const int* row_origin_;          // [529] row of y of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int block_first_col(int i) const { return block_first_col_[i]; }
  __device__ __forceinline__ unsigned stored_places(int i) const { return stored_places_[i]; }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
  // first block of each warp; linear with a short end
  __device__ __forceinline__ int warp_first_block(int i) const { return min(224 * i, 1312); }
};

/// The format, 59844 bytes.
struct Format {
  Branch1 branch_1;  // blocks of 3 x 3
};

// Branch 1: blocks of 3 x 3.
extern "C" __global__ void __launch_bounds__(256)
    spmv_1(const Value* __restrict__ branch_1_value_,
        const int* __restrict__ branch_1_block_first_col_,
        const unsigned* __restrict__ branch_1_stored_places_,
        const int* __restrict__ branch_1_row_origin_, const Value* __restrict__ x_,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Branch1 f{branch_1_value_, branch_1_block_first_col_, branch_1_stored_places_,
      branch_1_row_origin_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int threads = 177;
  const int warp = blockIdx.x * 8 + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  const auto column_of = [&](int block) { return f.block_first_col(block); };
  const auto value_of = [&](int entry) { return f.value(entry); };
  // Fill and pads have no bit, and add nothing.
  const auto term = [&](int entry, int block, int cell) {
    if ((f.stored_places(block) >> cell & 1u) == 0) return Value(0);
    return value_of(entry) * x[column_of(block) + cell % 3];
  };
  const int thread = warp * warp_size + lane;
  if (thread < threads) {
    // The last band has fewer rows.
    const auto emit = [&](int band_row, Value sum) {
      if (3 * thread + band_row < 529) global_store(out, f.row_origin(3 * thread + band_row), sum);
    };
    thread_total_band_gaps<3, 3>(f.warp_first_block(warp) + lane, f.warp_first_block(warp + 1),
        warp_size, lane, x, column_of, value_of, term, emit);
  }
}
