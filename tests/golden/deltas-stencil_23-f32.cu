// compress | thread_rows rows=1 | thread_total | global_store | compact columns=deltas
// structure=narrow | launch threads=64

/// The format, 4739 bytes; every array is read through a function of its name.
struct Format {
  const unsigned char* value_code_;           // [2553] code of each stored entry's value
  const Value* value_dictionary_;             // [11] the distinct values
  const unsigned* column_step_bits_;          // [400] fields of the entries
  const int* row_first_nz_base_;              // [3] base of each chunk
  const unsigned char* row_first_nz_offset_;  // [530] distance of each entry from its line

  __device__ __forceinline__ int value_code(int i) const { return value_code_[i]; }
  __device__ __forceinline__ Value value_dictionary(int i) const { return value_dictionary_[i]; }
  // value of each stored entry; a dictionary
  __device__ __forceinline__ Value value(int i) const { return value_dictionary(value_code(i)); }
  // column of each row's first entry; piecewise linear, 1 exception
  __device__ __forceinline__ int row_first_column(int i) const {
    return i == 0 ? 0 : i < 23 ? i - 1 : i - 23;
  }
  // from the column of the entry before, of the same thread; packed in 5 bits
  __device__ __forceinline__ int column_step(int i) const {
    return packed_fields(column_step_bits_, 5, i);
  }
  // first non-zero of each row; 8 bits above a line for each 256
  __device__ __forceinline__ int row_first_nz(unsigned i) const {
    return row_first_nz_base(i / 256) + 4 * i + row_first_nz_offset(i);
  }
  __device__ __forceinline__ int row_first_nz_base(int i) const { return row_first_nz_base_[i]; }
  __device__ __forceinline__ int row_first_nz_offset(int i) const {
    return row_first_nz_offset_[i];
  }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(64)
    spmv(const unsigned char* __restrict__ value_code_, const Value* __restrict__ value_dictionary_,
        const unsigned* __restrict__ column_step_bits_, const int* __restrict__ row_first_nz_base_,
        const unsigned char* __restrict__ row_first_nz_offset_, const Value* __restrict__ x_,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_code_, value_dictionary_, column_step_bits_, row_first_nz_base_,
      row_first_nz_offset_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 529;
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
