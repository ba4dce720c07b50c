// sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad |
// interleave | thread_total batch=8 | global_store | launch threads=256

/// The format, 33676 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;           // [2624] value of each stored entry; 0 for a pad
  const int* column_;            // [2624] column of each stored entry
  const int* warp_first_entry_;  // [18] first stored entry of each warp
  const int* row_origin_;        // [529] row of y of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int warp_first_entry(int i) const { return warp_first_entry_[i]; }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256, 4)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ warp_first_entry_, const int* __restrict__ row_origin_,
        const Value* __restrict__ x_, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, warp_first_entry_, row_origin_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 529;
  const int warp = blockIdx.x * 8 + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const int row = warp * warp_size + lane;
  if (row < rows) {
    const int y_row = f.row_origin(row);
    const Value sum = thread_total_batch<8>(f.warp_first_entry(warp) + lane,
        f.warp_first_entry(warp + 1), warp_size, term);
    global_store(out, y_row, sum);
  }
}
