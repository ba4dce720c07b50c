// sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad |
// interleave | thread_total batch=8 | global_store | launch threads=256

/// The format, 2136 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;     // [192] value of each stored entry; 0 for a pad
  const int* column_;      // [192] column of each stored entry
  const int* row_origin_;  // [150] row of y of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  // first stored entry of each warp; linear with a short end
  __device__ __forceinline__ int warp_first_entry(int i) const { return min(96 * i, 192); }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256, 4)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
         const int* __restrict__ row_origin_, const Value* __restrict__ x, Value* __restrict__ y,
         Value alpha, Value beta) {
  const Format f{value_, column_, row_origin_};
  const Output out{y, alpha, beta};
  constexpr int rows = 150;
  const int warp = blockIdx.x * 8 + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  // A pad of an empty row has column -1 and adds nothing.
  const auto term = [&](int entry) {
    const int column = f.column(entry);
    const Value product = f.value(entry) * x[max(column, 0)];
    return column < 0 ? Value(0) : product;
  };
  const int row = warp * warp_size + lane;
  if (row < rows) {
    const int y_row = f.row_origin(row);
    const Value sum = thread_total_batch<4>(f.warp_first_entry(warp) + lane,
                                            f.warp_first_entry(warp + 1), warp_size, term);
    global_store(out, y_row, sum);
  }
}
