// sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total | global_store |
// launch threads=256

/// The format, 22564 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;               // [2553] value of each stored entry
  const int* column_;                // [2553] column of each stored entry
  const int* diagonal_first_entry_;  // [6] first stored entry of each diagonal
  const int* row_origin_;            // [529] row of y of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int diagonal_first_entry(int i) const {
    return diagonal_first_entry_[i];
  }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ diagonal_first_entry_, const int* __restrict__ row_origin_,
        const Value* __restrict__ x_, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, diagonal_first_entry_, row_origin_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 529;
  constexpr int diagonals = 5;
  const int row = blockIdx.x * 256 + threadIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const auto entry_of = [&](int diagonal) { return f.diagonal_first_entry(diagonal); };
  if (row < rows) {
    const int y_row = f.row_origin(row);
    const Value sum = thread_total_ragged(0, diagonals, row, entry_of, term);
    global_store(out, y_row, sum);
  }
}
