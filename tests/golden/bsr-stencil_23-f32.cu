// dense_block_peel rows=3 cols=3 share=0 { warp_rows rows=3 | thread_cols lanes=8 | thread_total |
// warp_total | global_store | launch threads=256 } { compress | thread_nnz nnz=1 | thread_total |
// global_atomic | launch threads=256 }

/// A branch's part of the format, 87728 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;       // [10701] value of each stored entry; 0 for a pad
  const int* column_;        // [10701] column of each stored entry
  const int* row_first_nz_;  // [530] first non-zero of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  // first row of each warp; linear with a short end
  __device__ __forceinline__ int warp_first_row(int i) const { return min(3 * i, 529); }
  __device__ __forceinline__ int row_first_nz(int i) const { return row_first_nz_[i]; }
};

/// The format, 87728 bytes.
struct Format {
  Branch1 branch_1;  // blocks of 3 x 3
};

// Branch 1: blocks of 3 x 3.
extern "C" __global__ void __launch_bounds__(256)
    spmv_1(const Value* __restrict__ branch_1_value_, const int* __restrict__ branch_1_column_,
        const int* __restrict__ branch_1_row_first_nz_, const Value* __restrict__ x_,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Branch1 f{branch_1_value_, branch_1_column_, branch_1_row_first_nz_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int warps = 177;
  constexpr int lanes = 8;
  const int warp = blockIdx.x * 8 + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  const int group_lane = threadIdx.x % lanes;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (warp < warps) {
    const int warp_end_row = f.warp_first_row(warp + 1);
    const int row = f.warp_first_row(warp) + lane / lanes;
    Value sum = 0;
    if (row < warp_end_row)
      sum = thread_total(f.row_first_nz(row) + group_lane, f.row_first_nz(row + 1), lanes, term);
    const Value warp_sum = warp_total<8>(sum);
    if (row < warp_end_row && group_lane == 0) global_store(out, row, warp_sum);
  }
}
