// compress | thread_cols lanes=32 | thread_total batch=8 | warp_total | global_store | launch
// threads=256

/// The format, 32756 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;       // [2553] value of each stored entry
  const int* column_;        // [2553] column of each stored entry
  const int* row_first_nz_;  // [530] first non-zero of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int row_first_nz(int i) const { return row_first_nz_[i]; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256, 4)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ row_first_nz_, const Value* __restrict__ x_, Value* __restrict__ y,
        Value alpha, Value beta) {
  const Format f{value_, column_, row_first_nz_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 529;
  const int row = blockIdx.x * 8 + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (row < rows) {
    const Value sum = thread_total_once(f.row_first_nz(row) + lane, f.row_first_nz(row + 1), term);
    const Value warp_sum = warp_total<32>(sum);
    if (lane == 0) global_store(out, row, warp_sum);
  }
}
