// sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | compact exceptions=8 | launch threads=64

// prelude: the few words every fragment may use - the value type and what a launch writes.
using Value = float;

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
};

// packed_bits: one field of a chunk whose fields lie one behind the other in words of 32 bits.
//
// `head` is 32 * the chunk's first word + the bits of a field. Two neighbouring words are read at
// once; behind the last chunk there is one to spare. A chunk without bits has no branch of its own:
// loads would wait there for its head.
__device__ __forceinline__ int packed_bits(const unsigned* words, int head, unsigned place) {
  const unsigned width = head & 31, bit = place * width;
  const unsigned* const pair = words + ((head >> 5) + bit / 32);
  const unsigned field = __funnelshift_r(pair[0], pair[width != 0], bit % 32);
  return field & ((1u << width) - 1);
}

// run_number: the number of the run that an entry is in. A set bit of `starts` says that a run
// begins with the entry of that place; `first_run` runs begin before place 0.
__device__ __forceinline__ int run_number(unsigned starts, int first_run, int place) {
  return first_run + __popc(starts & (0xffffffffu >> (31 - place))) - 1;
}

/// The format, 372 bytes; every array is read through a function of its name.
struct Format {
  const unsigned* value_code_bits_;  // [25] fields, and a word to spare
  const Value* value_dictionary_;  // [12] the distinct values; 0 for pads
  const unsigned* column_starts_;  // [6] a bit of each entry: a run begins with it
  const int* column_first_run_;  // [6] runs before each 32 entries
  const unsigned* column_shift_bits_;  // [25] fields, and a word to spare
  const unsigned* row_origin_starts_;  // [5] a bit of each entry: a run begins with it
  const int* row_origin_first_run_;  // [5] runs before each 32 entries
  const unsigned* row_origin_shift_bits_;  // [9] fields, and a word to spare

  // code of each stored entry's value; packed by 64
  __device__ __forceinline__ int value_code(unsigned i) const {
    return packed_bits(value_code_bits_, value_code_head(i / 64), i % 64);
  }
  // of each chunk 32 * its first word + bits of a field; linear
  __device__ __forceinline__ int value_code_head(int i) const { return 256 * i + 4; }
  __device__ __forceinline__ Value value_dictionary(int i) const { return value_dictionary_[i]; }
  // value of each stored entry; a dictionary
  __device__ __forceinline__ Value value(int i) const { return value_dictionary(value_code(i)); }
  // column of each stored entry; runs of neighbours
  __device__ __forceinline__ int column(unsigned i) const {
    return column_shift(run_number(column_starts(i / 32), column_first_run(i / 32), i % 32)) + i;
  }
  __device__ __forceinline__ unsigned column_starts(int i) const { return column_starts_[i]; }
  __device__ __forceinline__ int column_first_run(int i) const { return column_first_run_[i]; }
  // what the entries of each run are above their index; packed by 32
  __device__ __forceinline__ int column_shift(unsigned i) const {
    return column_shift_base(i / 32) + packed_bits(column_shift_bits_, column_shift_head(i / 32),
        i % 32);
  }
  // base of each chunk; linear
  __device__ __forceinline__ int column_shift_base(int i) const { return -32 * i - 128; }
  // of each chunk 32 * its first word + bits of a field; linear
  __device__ __forceinline__ int column_shift_head(int i) const { return 256 * i + 8; }
  // first stored entry of each warp; linear with a short end
  __device__ __forceinline__ int warp_first_entry(int i) const { return min(96 * i, 192); }
  // row of y of each row; runs of neighbours
  __device__ __forceinline__ int row_origin(unsigned i) const {
    return row_origin_shift(run_number(row_origin_starts(i / 32), row_origin_first_run(i / 32),
        i % 32)) + i;
  }
  __device__ __forceinline__ unsigned row_origin_starts(int i) const {
    return row_origin_starts_[i];
  }
  __device__ __forceinline__ int row_origin_first_run(int i) const {
    return row_origin_first_run_[i];
  }
  // what the entries of each run are above their index; packed by 32
  __device__ __forceinline__ int row_origin_shift(unsigned i) const {
    return row_origin_shift_base(i / 32) + i % 32 + packed_bits(row_origin_shift_bits_,
        row_origin_shift_head(i / 32), i % 32);
  }
  // base of each chunk; linear
  __device__ __forceinline__ int row_origin_shift_base(int i) const { return 41 * i - 62; }
  // of each chunk 32 * its first word + bits of a field; linear
  __device__ __forceinline__ int row_origin_shift_head(int i) const { return 248 * i + 8; }
};

// thread_total: one thread adds the products at its stored positions first, first + step, ...
// below end.
template <class Term>
__device__ __forceinline__ Value thread_total(int first, int end, int step, Term term) {
  Value sum = 0;
  for (int entry = first; entry < end; entry += step) sum += term(entry);
  return sum;
}

// global_store: the one writer of a row stores it.
__device__ __forceinline__ void global_store(const Output& out, int row, Value sum) {
  const Value old = out.beta == 0 ? Value(0) : out.beta * out.y[row];
  out.y[row] = out.alpha * sum + old;
}

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(64)
    spmv(const unsigned* __restrict__ value_code_bits_,
        const Value* __restrict__ value_dictionary_, const unsigned* __restrict__ column_starts_,
        const int* __restrict__ column_first_run_, const unsigned* __restrict__ column_shift_bits_,
        const unsigned* __restrict__ row_origin_starts_,
        const int* __restrict__ row_origin_first_run_,
        const unsigned* __restrict__ row_origin_shift_bits_, const Value* __restrict__ x,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_code_bits_, value_dictionary_, column_starts_, column_first_run_,
      column_shift_bits_, row_origin_starts_, row_origin_first_run_, row_origin_shift_bits_};
  const Output out{y, alpha, beta};
  const int warp = blockIdx.x * 2 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  // A pad of an empty row has column -1 and adds nothing.
  const auto term = [&](int entry) {
    const int column = f.column(entry);
    const Value product = f.value(entry) * x[max(column, 0)];
    return column < 0 ? Value(0) : product;
  };
  if (warp < 5) {
    const int row = warp * 32 + lane;
    if (row < 150) {
      const int y_row = f.row_origin(row);
      const Value sum = thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1),
          32, term);
      global_store(out, y_row, sum);
    }
  }
}
