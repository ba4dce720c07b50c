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

/// The format, 2344 bytes; every array is read through a function of its name.
struct Format {
  const unsigned* value_code_starts_;  // [82] a bit of each entry: a run begins with it
  const int* value_code_first_run_base_;  // [3] base of each chunk
  const int* value_code_first_run_head_;  // [3] of each chunk 32 * its first word + bits of a field
  const unsigned* value_code_first_run_bits_;  // [21] fields, and a word to spare
  const int* value_code_shift_base_;  // [19] base of each chunk
  const int* value_code_shift_head_;  // [19] of each chunk 32 * its first word + bits of a field
  const unsigned* value_code_shift_bits_;  // [139] fields, and a word to spare
  const Value* value_dictionary_;  // [12] the distinct values; 0 for pads
  const unsigned* column_starts_;  // [82] a bit of each entry: a run begins with it
  const unsigned* column_first_run_bits_;  // [21] fields, and a word to spare
  const int* column_shift_base_;  // [7] base of each chunk
  const int* column_shift_head_;  // [7] of each chunk 32 * its first word + bits of a field
  const unsigned* column_shift_bits_;  // [127] fields, and a word to spare
  const unsigned* row_origin_starts_;  // [17] a bit of each entry: a run begins with it
  const unsigned* row_origin_first_run_bits_;  // [6] fields, and a word to spare
  const unsigned* row_origin_shift_bits_;  // [21] fields, and a word to spare

  // code of each stored entry's value; runs of neighbours
  __device__ __forceinline__ int value_code(unsigned i) const {
    return value_code_shift(run_number(value_code_starts(i / 32), value_code_first_run(i / 32),
        i % 32)) + i;
  }
  __device__ __forceinline__ unsigned value_code_starts(int i) const {
    return value_code_starts_[i];
  }
  // runs before each 32 entries; packed by 32
  __device__ __forceinline__ int value_code_first_run(unsigned i) const {
    return value_code_first_run_base(i / 32) + 7 * (i % 32) + packed_bits(value_code_first_run_bits_, value_code_first_run_head(i / 32), i % 32);
  }
  __device__ __forceinline__ int value_code_first_run_base(int i) const {
    return value_code_first_run_base_[i];
  }
  __device__ __forceinline__ int value_code_first_run_head(int i) const {
    return value_code_first_run_head_[i];
  }
  // what the entries of each run are above their index; packed by 32
  __device__ __forceinline__ int value_code_shift(unsigned i) const {
    return value_code_shift_base(i / 32) + packed_bits(value_code_shift_bits_,
        value_code_shift_head(i / 32), i % 32);
  }
  __device__ __forceinline__ int value_code_shift_base(int i) const {
    return value_code_shift_base_[i];
  }
  __device__ __forceinline__ int value_code_shift_head(int i) const {
    return value_code_shift_head_[i];
  }
  __device__ __forceinline__ Value value_dictionary(int i) const { return value_dictionary_[i]; }
  // value of each stored entry; a dictionary
  __device__ __forceinline__ Value value(int i) const { return value_dictionary(value_code(i)); }
  // column of each stored entry; runs of neighbours
  __device__ __forceinline__ int column(unsigned i) const {
    return column_shift(run_number(column_starts(i / 32), column_first_run(i / 32), i % 32)) + i;
  }
  __device__ __forceinline__ unsigned column_starts(int i) const { return column_starts_[i]; }
  // runs before each 32 entries; packed by 32
  __device__ __forceinline__ int column_first_run(unsigned i) const {
    return column_first_run_base(i / 32) + i % 32 + packed_bits(column_first_run_bits_,
        value_code_first_run_head(i / 32), i % 32);
  }
  // base of each chunk; linear
  __device__ __forceinline__ int column_first_run_base(int i) const { return 79 * i; }
  // what the entries of each run are above their index; packed by 64
  __device__ __forceinline__ int column_shift(unsigned i) const {
    return column_shift_base(i / 64) + packed_bits(column_shift_bits_, column_shift_head(i / 64),
        i % 64);
  }
  __device__ __forceinline__ int column_shift_base(int i) const { return column_shift_base_[i]; }
  __device__ __forceinline__ int column_shift_head(int i) const { return column_shift_head_[i]; }
  // first stored entry of each warp; linear with a short end, 2 exceptions
  __device__ __forceinline__ int warp_first_entry(int i) const {
    return i == 15 ? 2368 : i == 16 ? 2496 : min(160 * i, 2624);
  }
  // row of y of each row; runs of neighbours
  __device__ __forceinline__ int row_origin(unsigned i) const {
    return row_origin_shift(run_number(row_origin_starts(i / 32), row_origin_first_run(i / 32),
        i % 32)) + i;
  }
  __device__ __forceinline__ unsigned row_origin_starts(int i) const {
    return row_origin_starts_[i];
  }
  // runs before each 32 entries; packed by 32
  __device__ __forceinline__ int row_origin_first_run(unsigned i) const {
    return i % 32 + packed_bits(row_origin_first_run_bits_, 5, i % 32);
  }
  // what the entries of each run are above their index; packed by 64
  __device__ __forceinline__ int row_origin_shift(unsigned i) const {
    return packed_bits(row_origin_shift_bits_, 10, i % 64) - 525;
  }
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
    spmv(const unsigned* __restrict__ value_code_starts_,
        const int* __restrict__ value_code_first_run_base_,
        const int* __restrict__ value_code_first_run_head_,
        const unsigned* __restrict__ value_code_first_run_bits_,
        const int* __restrict__ value_code_shift_base_,
        const int* __restrict__ value_code_shift_head_,
        const unsigned* __restrict__ value_code_shift_bits_,
        const Value* __restrict__ value_dictionary_, const unsigned* __restrict__ column_starts_,
        const unsigned* __restrict__ column_first_run_bits_,
        const int* __restrict__ column_shift_base_, const int* __restrict__ column_shift_head_,
        const unsigned* __restrict__ column_shift_bits_,
        const unsigned* __restrict__ row_origin_starts_,
        const unsigned* __restrict__ row_origin_first_run_bits_,
        const unsigned* __restrict__ row_origin_shift_bits_, const Value* __restrict__ x,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_code_starts_, value_code_first_run_base_, value_code_first_run_head_,
      value_code_first_run_bits_, value_code_shift_base_, value_code_shift_head_,
      value_code_shift_bits_, value_dictionary_, column_starts_, column_first_run_bits_,
      column_shift_base_, column_shift_head_, column_shift_bits_, row_origin_starts_,
      row_origin_first_run_bits_, row_origin_shift_bits_};
  const Output out{y, alpha, beta};
  const int warp = blockIdx.x * 2 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (warp < 17) {
    const int row = warp * 32 + lane;
    if (row < 529) {
      const int y_row = f.row_origin(row);
      const Value sum = thread_total(f.warp_first_entry(warp) + lane, f.warp_first_entry(warp + 1),
          32, term);
      global_store(out, y_row, sum);
    }
  }
}
