// bin_rows at=3,5,9,17,33,1025 { compress | thread_rows rows=1 | thread_total | global_store |
// launch threads=256 } { compress | thread_cols lanes=2 | thread_total | warp_total | global_store
// | launch threads=256 } { compress | thread_cols lanes=4 | thread_total | warp_total |
// global_store | launch threads=256 } { compress | thread_cols lanes=8 | thread_total | warp_total
// | global_store | launch threads=256 } { compress | thread_cols lanes=16 | thread_total |
// warp_total | global_store | launch threads=256 } { compress | thread_cols lanes=32 | thread_total
// | warp_total | global_store | launch threads=256 } { compress | block_rows rows=1 | thread_cols
// width=1 | thread_total | warp_total | shared_total | global_store | launch threads=256 }

/// A branch's part of the format, 348 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;     // [0] value of each stored entry
  const int* column_;      // [0] column of each stored entry
  const int* row_origin_;  // [87] row of y of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
};

/// A branch's part of the format, 1764 bytes; every array is read through a function of its name.
struct Branch2 {
  const Value* value_;     // [189] value of each stored entry
  const int* column_;      // [189] column of each stored entry
  const int* row_origin_;  // [63] row of y of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  // first non-zero of each row; linear
  __device__ __forceinline__ int row_first_nz(int i) const { return 3 * i; }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
};

/// The format, 2112 bytes.
struct Format {
  Branch1 branch_1;  // rows of fewer than 3 non-zeros
  Branch2 branch_2;  // rows of 3 to 4 non-zeros
};

// Branch 1: rows of fewer than 3 non-zeros.
extern "C" __global__ void __launch_bounds__(256)
    spmv_1(const Value* __restrict__ branch_1_value_, const int* __restrict__ branch_1_column_,
           const int* __restrict__ branch_1_row_origin_, const Value* __restrict__,
           const int* __restrict__, const int* __restrict__, const Value* __restrict__ x,
           Value* __restrict__ y, Value alpha, Value beta) {
  const Branch1 f{branch_1_value_, branch_1_column_, branch_1_row_origin_};
  const Output out{y, alpha, beta};
  constexpr int rows = 87;
  const int row = blockIdx.x * 256 + threadIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (row < rows) {
    const int y_row = f.row_origin(row);
    const Value sum = thread_total_once(0, 0, term);
    global_store(out, y_row, sum);
  }
}

// Branch 2: rows of 3 to 4 non-zeros.
extern "C" __global__ void __launch_bounds__(256)
    spmv_2(const Value* __restrict__, const int* __restrict__, const int* __restrict__,
           const Value* __restrict__ branch_2_value_, const int* __restrict__ branch_2_column_,
           const int* __restrict__ branch_2_row_origin_, const Value* __restrict__ x,
           Value* __restrict__ y, Value alpha, Value beta) {
  const Branch2 f{branch_2_value_, branch_2_column_, branch_2_row_origin_};
  const Output out{y, alpha, beta};
  constexpr int rows = 63;
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
