// sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave |
// thread_total | global_store | compact exceptions=8 | launch threads=64

/// The format, 2748 bytes; every array is read through a function of its name.
struct Format {
  const unsigned* value_code_bits_;  // [329] fields of the entries
  const Value* value_dictionary_;    // [12] the distinct values; 0 for pads
  // [164] a bit of each of 32 entries: a run begins with it; runs before them
  const unsigned* column_runs_;
  const int* column_shift_base_;       // [7] base of each chunk
  const unsigned* column_shift_bits_;  // [124] fields of the entries
  // [34] a bit of each of 32 entries: a run begins with it; runs before them
  const unsigned* row_origin_runs_;
  const unsigned* row_origin_shift_bits_;  // [17] fields of the entries

  // code of each stored entry's value; packed in 4 bits
  __device__ __forceinline__ int value_code(int i) const {
    return packed_fields(value_code_bits_, 4, i);
  }
  __device__ __forceinline__ Value value_dictionary(int i) const { return value_dictionary_[i]; }
  // value of each stored entry; a dictionary
  __device__ __forceinline__ Value value(int i) const { return value_dictionary(value_code(i)); }
  // column of each stored entry; runs of neighbours
  __device__ __forceinline__ int column(unsigned i) const {
    const uint2 pair = column_runs2(2 * (i / 32));
    return column_shift(run_number(pair.x, pair.y, i % 32)) + i;
  }
  __device__ __forceinline__ uint2 column_runs2(int i) const {
    return *reinterpret_cast<const uint2*>(column_runs_ + i);
  }
  // what the entries of each run are above their index; packed in 10 bits by 64
  __device__ __forceinline__ int column_shift(unsigned i) const {
    return column_shift_base(i / 64) + packed_fields(column_shift_bits_, 10, i);
  }
  __device__ __forceinline__ int column_shift_base(int i) const { return column_shift_base_[i]; }
  // first stored entry of each warp; linear with a short end, 2 exceptions
  __device__ __forceinline__ int warp_first_entry(int i) const {
    return i == 15 ? 2368 : i == 16 ? 2496 : min(160 * i, 2624);
  }
  // row of y of each row; runs of neighbours
  __device__ __forceinline__ int row_origin(unsigned i) const {
    const uint2 pair = row_origin_runs2(2 * (i / 32));
    return row_origin_shift(run_number(pair.x, pair.y, i % 32)) + i;
  }
  __device__ __forceinline__ uint2 row_origin_runs2(int i) const {
    return *reinterpret_cast<const uint2*>(row_origin_runs_ + i);
  }
  // what the entries of each run are above their index; packed in 10 bits
  __device__ __forceinline__ int row_origin_shift(int i) const {
    return packed_fields(row_origin_shift_bits_, 10, i) - 525;
  }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(64)
    spmv(const unsigned* __restrict__ value_code_bits_, const Value* __restrict__ value_dictionary_,
        const unsigned* __restrict__ column_runs_, const int* __restrict__ column_shift_base_,
        const unsigned* __restrict__ column_shift_bits_,
        const unsigned* __restrict__ row_origin_runs_,
        const unsigned* __restrict__ row_origin_shift_bits_, const Value* __restrict__ x_,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_code_bits_, value_dictionary_, column_runs_, column_shift_base_,
      column_shift_bits_, row_origin_runs_, row_origin_shift_bits_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 529;
  const int warp = blockIdx.x * 2 + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const int row = warp * warp_size + lane;
  if (row < rows) {
    const int y_row = f.row_origin(row);
    const Value sum = thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1),
        warp_size, term);
    global_store(out, y_row, sum);
  }
}
