// compress | warp_rows rows=32 | thread_rows rows=1 | warp_diagonals | interleave | thread_total |
// global_store | launch threads=256

/// The format, 11424 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;          // [2688] value of each stored entry; 0 for a pad
  const int* diagonal_column_;  // [84] column of x that lane 0 has on each diagonal, or would have
  const unsigned* entry_bits_;  // [84] bit p % 32 of word p / 32: there is an entry at position p

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int diagonal_column(int i) const { return diagonal_column_[i]; }
  __device__ __forceinline__ unsigned entry_bits(int i) const { return entry_bits_[i]; }
  // first stored entry of each warp; linear with a short end
  __device__ __forceinline__ int warp_first_entry(int i) const { return min(160 * i, 2688); }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256)
    spmv(const Value* __restrict__ value_, const int* __restrict__ diagonal_column_,
        const unsigned* __restrict__ entry_bits_, const Value* __restrict__ x_,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, diagonal_column_, entry_bits_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 529;
  const int warp = blockIdx.x * 8 + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  // A lane whose bit is not set has no entry on the diagonal.
  const auto term = [&](int entry) {
    const int word = entry / 32, diagonal = entry / 32;
    const bool is_there = f.entry_bits(word) >> entry % 32 & 1;
    const int column = f.diagonal_column(diagonal) + entry % 32;
    const Value product = f.value(entry) * x[is_there ? column : 0];
    return is_there ? product : Value(0);
  };
  const int row = warp * warp_size + lane;
  if (row < rows) {
    const Value sum = thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1),
        warp_size, term);
    global_store(out, row, sum);
  }
}
