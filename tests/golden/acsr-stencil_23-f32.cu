// bin_rows at=3,5,9,17,33,1025 { compress | thread_rows rows=1 | thread_total | global_store |
// launch threads=256 } { compress | thread_cols lanes=2 | thread_total | warp_total | global_store
// | launch threads=256 } { compress | thread_cols lanes=4 | thread_total | warp_total |
// global_store | launch threads=256 } { compress | thread_cols lanes=8 | thread_total | warp_total
// | global_store | launch threads=256 } { compress | thread_cols lanes=16 | thread_total |
// warp_total | global_store | launch threads=256 } { compress | thread_cols lanes=32 | thread_total
// | warp_total | global_store | launch threads=256 } { compress | block_rows rows=1 | thread_cols
// width=1 | thread_total | warp_total | shared_total | global_store | launch threads=256 }

/// A branch's part of the format, 3492 bytes; every array is read through a function of its name.
struct Branch2 {
  const Value* value_;       // [348] value of each stored entry
  const int* column_;        // [348] column of each stored entry
  const int* row_first_nz_;  // [89] first non-zero of each row
  const int* row_origin_;    // [88] row of y of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int row_first_nz(int i) const { return row_first_nz_[i]; }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
};

/// A branch's part of the format, 19404 bytes; every array is read through a function of its name.
struct Branch3 {
  const Value* value_;     // [2205] value of each stored entry
  const int* column_;      // [2205] column of each stored entry
  const int* row_origin_;  // [441] row of y of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  // first non-zero of each row; linear
  __device__ __forceinline__ int row_first_nz(int i) const { return 5 * i; }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
};

/// The format, 22896 bytes.
struct Format {
  Branch2 branch_2;  // rows of 3 to 4 non-zeros
  Branch3 branch_3;  // rows of 5 to 8 non-zeros
};

// Branch 2: rows of 3 to 4 non-zeros.
extern "C" __global__ void __launch_bounds__(256)
    spmv_2(const Value* __restrict__ branch_2_value_, const int* __restrict__ branch_2_column_,
        const int* __restrict__ branch_2_row_first_nz_,
        const int* __restrict__ branch_2_row_origin_, const Value* __restrict__,
        const int* __restrict__, const int* __restrict__, const Value* __restrict__ x_,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Branch2 f{branch_2_value_, branch_2_column_, branch_2_row_first_nz_, branch_2_row_origin_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 88;
  constexpr int lanes = 2;
  const int row = blockIdx.x * 128 + threadIdx.x / lanes;
  const int group_lane = threadIdx.x % lanes;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const int y_row = row < rows ? f.row_origin(row) : 0;
  Value sum = 0;
  if (row < rows)
    sum = thread_total(f.row_first_nz(row) + group_lane, f.row_first_nz(row + 1), lanes, term);
  const Value warp_sum = warp_total<2>(sum);
  if (row < rows && group_lane == 0) global_store(out, y_row, warp_sum);
}

// Branch 3: rows of 5 to 8 non-zeros.
extern "C" __global__ void __launch_bounds__(256)
    spmv_3(const Value* __restrict__, const int* __restrict__, const int* __restrict__,
        const int* __restrict__, const Value* __restrict__ branch_3_value_,
        const int* __restrict__ branch_3_column_, const int* __restrict__ branch_3_row_origin_,
        const Value* __restrict__ x_, Value* __restrict__ y, Value alpha, Value beta) {
  const Branch3 f{branch_3_value_, branch_3_column_, branch_3_row_origin_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 441;
  constexpr int lanes = 4;
  const int row = blockIdx.x * 64 + threadIdx.x / lanes;
  const int group_lane = threadIdx.x % lanes;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const int y_row = row < rows ? f.row_origin(row) : 0;
  Value sum = 0;
  if (row < rows)
    sum = thread_total(f.row_first_nz(row) + group_lane, f.row_first_nz(row + 1), lanes, term);
  const Value warp_sum = warp_total<4>(sum);
  if (row < rows && group_lane == 0) global_store(out, y_row, warp_sum);
}
