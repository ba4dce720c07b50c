// compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | warp_segment |
// global_atomic | launch threads=128

/// The format, 31408 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;           // [2560] value of each stored entry; 0 for a pad
  const int* column_;            // [2560] column of each stored entry
  const unsigned* tile_ptr_;     // [6] row of each tile's first non-zero
  const unsigned* thread_word_;  // [160] bit_flag: bits 0 to 15; y_offset: bits 16 to 25
  const int* init_row_;          // [6] rows without a writer, or with several

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ unsigned tile_ptr(int i) const { return tile_ptr_[i]; }
  __device__ __forceinline__ unsigned thread_word(int i) const { return thread_word_[i]; }
  // bit k: item k opens a segment
  __device__ __forceinline__ unsigned bit_flag(unsigned word) const { return word & 0xffffu; }
  // segments that the threads before have opened
  __device__ __forceinline__ int y_offset(unsigned word) const { return word >> 16 & 0x3ffu; }
  // first stored entry of each warp; linear
  __device__ __forceinline__ int warp_first_entry(int i) const { return 512 * i; }
  __device__ __forceinline__ int init_row(int i) const { return init_row_[i]; }
};

// The rows that are added to, or have no entries: y = beta * y, launched first.
extern "C" __global__ void __launch_bounds__(128)
    spmv_init(const Value* __restrict__ value_, const int* __restrict__ column_,
        const unsigned* __restrict__ tile_ptr_, const unsigned* __restrict__ thread_word_,
        const int* __restrict__ init_row_, const Value* __restrict__, Value* __restrict__ y,
        Value alpha, Value beta) {
  const Format f{value_, column_, tile_ptr_, thread_word_, init_row_};
  const Output out{y, alpha, beta};
  const int index = blockIdx.x * 128 + threadIdx.x;
  if (index < 6) global_init(out, f.init_row(index));
}

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(128, 3)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const unsigned* __restrict__ tile_ptr_, const unsigned* __restrict__ thread_word_,
        const int* __restrict__ init_row_, const Value* __restrict__ x_, Value* __restrict__ y,
        Value alpha, Value beta) {
  const Format f{value_, column_, tile_ptr_, thread_word_, init_row_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int warps = 5;
  const int warp = blockIdx.x * 4 + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (warp < warps) {
    const int thread = warp * warp_size + lane;
    const int first_row = f.tile_ptr(warp);
    const auto row_of = [&](int segment) { return first_row + segment; };
    const auto emit = [&](int row, Value sum) { global_store(out, row, sum); };
    // The tile's first and last row may have parts in its neighbours.
    const auto edge = [&](int row, Value sum) { global_atomic(out, row, sum); };
    const unsigned word = f.thread_word(thread);
    // A tile's first flag is always set; its row may have begun in the tile before.
    const unsigned starts = f.bit_flag(word) & ~unsigned(lane == 0);
    const int open = max(f.y_offset(word) - 1, 0);
    const HeadTail part = thread_bitmap<16>(f.warp_first_entry(warp) + lane, warp_size, starts,
        open, term, row_of, emit);
    warp_segment(part, row_of, emit, edge);
  }
}
