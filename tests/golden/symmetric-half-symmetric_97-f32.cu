// symmetric_half | sort_rows | compress | thread_cols lanes=8 | thread_total | warp_total |
// global_atomic | launch threads=256

/// The format, 3028 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;       // [281] value of each stored entry
  const int* column_;        // [281] column of each stored entry
  const int* row_origin_;    // [97] row of y of each row
  const int* row_first_nz_;  // [98] first non-zero of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
  __device__ __forceinline__ int row_first_nz(int i) const { return row_first_nz_[i]; }
};

// The rows that are added to, or have no entries: y = beta * y, launched first.
extern "C" __global__ void __launch_bounds__(256)
    spmv_init(const Value* __restrict__, const int* __restrict__, const int* __restrict__,
        const int* __restrict__, const Value* __restrict__, Value* __restrict__ y, Value alpha,
        Value beta) {
  const Output out{y, alpha, beta};
  const int index = blockIdx.x * 256 + threadIdx.x;
  if (index < 97) global_init(out, index);
}

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ row_origin_, const int* __restrict__ row_first_nz_,
        const Value* __restrict__ x_, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, row_origin_, row_first_nz_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 97;
  constexpr int lanes = 8;
  const int row = blockIdx.x * 32 + threadIdx.x / lanes;
  const int group_lane = threadIdx.x % lanes;
  const int y_row = row < rows ? f.row_origin(row) : 0;
  const Value scaled_x = out.alpha * x[y_row];
  const auto term = [&](int entry) {
    const int column = f.column(entry);
    const Value value = f.value(entry), other = x[column];
    mirror_add(out, y_row, column, value * scaled_x);
    return value * other;
  };
  Value sum = 0;
  if (row < rows)
    sum = thread_total(f.row_first_nz(row) + group_lane, f.row_first_nz(row + 1), lanes, term);
  const Value warp_sum = warp_total<8>(sum);
  if (row < rows && group_lane == 0) global_atomic(out, y_row, warp_sum);
}
