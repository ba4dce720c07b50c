// compress | thread_rows rows=1 | thread_total | global_store | compact columns=deltas
// structure=narrow | launch threads=64

/// The format, 650 bytes; every array is read through a function of its name.
struct Format {
  const unsigned char* value_code_;               // [189] code of each stored entry's value
  const Value* value_dictionary_;                 // [11] the distinct values
  const unsigned char* row_first_column_offset_;  // [150] distance of each entry from its line
  const unsigned* column_step_bits_;              // [29] fields of the entries
  const unsigned char* row_first_nz_;             // [151] first non-zero of each row

  __device__ __forceinline__ int value_code(int i) const { return value_code_[i]; }
  __device__ __forceinline__ Value value_dictionary(int i) const { return value_dictionary_[i]; }
  // value of each stored entry; a dictionary
  __device__ __forceinline__ Value value(int i) const { return value_dictionary(value_code(i)); }
  // column of each row's first entry; 8 bits above a line
  __device__ __forceinline__ int row_first_column(int i) const {
    return row_first_column_offset(i) - 1;
  }
  __device__ __forceinline__ int row_first_column_offset(int i) const {
    return row_first_column_offset_[i];
  }
  // from the column of the entry before, of the same thread; packed by 128
  __device__ __forceinline__ int column_step(unsigned i) const {
    return packed_bits(column_step_bits_, column_step_head(i / 128), i);
  }
  // head of each chunk, by which its fields are found; linear
  __device__ __forceinline__ int column_step_head(int i) const { return 1531 * i + 381; }
  __device__ __forceinline__ int row_first_nz(int i) const { return row_first_nz_[i]; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(64)
    spmv(const unsigned char* __restrict__ value_code_, const Value* __restrict__ value_dictionary_,
         const unsigned char* __restrict__ row_first_column_offset_,
         const unsigned* __restrict__ column_step_bits_,
         const unsigned char* __restrict__ row_first_nz_, const Value* __restrict__ x,
         Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_code_, value_dictionary_, row_first_column_offset_, column_step_bits_,
                 row_first_nz_};
  const Output out{y, alpha, beta};
  constexpr int rows = 150;
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row < rows) {
    int column = f.row_first_column(row);
    const auto term = [&](int entry) {
      column += f.column_step(entry);
      return f.value(entry) * x[column];
    };
    const Value sum = thread_total(f.row_first_nz(row), f.row_first_nz(row + 1), 1, term);
    global_store(out, row, sum);
  }
}
