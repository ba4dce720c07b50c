// compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | warp_segment | global_atomic | launch threads=128

// prelude: the few words every fragment may use - the value type and what a launch writes.
using Value = float;

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
};

/// The format, 21168 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [2560] value of each stored entry; 0 for a pad
  const int* column_;  // [2560] column of each stored entry
  const unsigned* tile_ptr_;  // [6] row of each tile's first non-zero
  const unsigned* thread_word_;  // [160] bit_flag: bits 0 to 15; y_offset: bits 16 to 25
  const int* init_row_;  // [6] rows that no launch stores whole

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

// global_store: the one writer of a row stores it.
__device__ __forceinline__ void global_store(const Output& out, int row, Value sum) {
  const Value old = out.beta == 0 ? Value(0) : out.beta * out.y[row];
  out.y[row] = out.alpha * sum + old;
}

// global_atomic: one of several writers adds to a row that an earlier launch set to beta * y.
__device__ __forceinline__ void global_atomic(const Output& out, int row, Value sum) {
  atomicAdd(out.y + row, out.alpha * sum);
}

// head_tail: the partial of a thread whose terms may begin and end inside rows that neighbours
// share.

/// head belongs to the segment `first` that was open when the thread began, tail to the segment
/// `last` that is open when it ends. Where no row starts inside the thread, first == last and
/// tail is 0.
struct HeadTail {
  Value head, tail;
  int first, last;
};

// thread_bitmap: one thread walks ITEMS products; bit k of `starts` says that product k begins a
// row.
//
// A row that both begins and ends inside the thread is emitted; the two at its ends are given on
// as head and tail. `open` is the segment that is open where the thread begins. No load moves past
// what emit stores, so products come first: 16 at a time, for which there are registers. Source:
// CSR5 (Liu, Vinter 2015).
template <int ITEMS, class Term, class RowOf, class Emit>
__device__ __forceinline__ HeadTail thread_bitmap(int first, int step, unsigned starts, int open,
                                                  Term term, RowOf row_of, Emit emit) {
  HeadTail part{0, 0, open, open};
  Value sum = 0;
#pragma unroll
  for (int begin = 0; begin < ITEMS; begin += 16) {
    Value products[16];
#pragma unroll
    for (int k = begin; k < begin + 16 && k < ITEMS; ++k) {
      products[k - begin] = term(first + k * step);
    }
#pragma unroll
    for (int k = begin; k < begin + 16 && k < ITEMS; ++k) {
      if (starts >> k & 1u) {
        if (part.last == part.first) {
          part.head = sum;
        } else {
          emit(row_of(part.last), sum);
        }
        ++part.last;
        sum = 0;
      }
      sum += products[k - begin];
    }
  }
  if (part.last == part.first) {
    part.head = sum;
  } else {
    part.tail = sum;
  }
  return part;
}

// full_warp: the mask of a collective that every lane takes part in; there is no other kind here.

constexpr unsigned full_warp = 0xffffffffu;

// later_heads: adds the heads of the lanes above each lane, up to and with the next one that begins
// a row.
//
// Bit l of `later` says that lane l, above this one, begins a row; where none does, the heads of
// all lanes above are added. Every lane of the warp takes part.
__device__ __forceinline__ Value later_heads(Value head, unsigned later) {
  const int lane = threadIdx.x % 32;
  const int stop = later ? __ffs(later) - 1 : 31;
  Value heads = __shfl_down_sync(full_warp, head, 1);
  if (lane == stop) heads = 0;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const Value next = __shfl_down_sync(full_warp, heads, step);
    if (lane + step < stop) heads += next;
  }
  return heads;
}

// warp_segment: adds the heads of later lanes to the row that is open at the end of each lane.
//
// This is CSR5's segmented sum with the ends of segments found by a ballot, so that no sum of one
// row is ever subtracted from another's. Every lane of the warp takes part. Rows that end inside
// the warp are emitted; its first and its last row, which neighbours may share, leave through
// `edge`.
template <class RowOf, class Emit, class Edge>
__device__ __forceinline__ void warp_segment(HeadTail part, RowOf row_of, Emit emit, Edge edge) {
  const int lane = threadIdx.x % 32;
  const bool begins = part.last != part.first;
  // Lanes above this one that begin a row: with the next, the row open at this lane's end is over.
  const unsigned later = __ballot_sync(full_warp, begins) & ~1u << lane;
  const Value heads = later_heads(part.head, later);
  if (lane == 0) edge(row_of(part.first), begins ? part.head : part.head + heads);
  if (begins) {
    const int row = row_of(part.last);  // looked up once for the lanes of both branches
    if (later) {
      emit(row, part.tail + heads);
    } else {
      edge(row, part.tail + heads);
    }
  }
}

// global_init: sets a row that no launch stores whole (it has no writer, or several) to beta * y,
// or 0.
__device__ __forceinline__ void global_init(const Output& out, int row) {
  out.y[row] = out.beta == 0 ? Value(0) : out.beta * out.y[row];
}

// The rows that are added to, or have no entries: y = beta * y, launched first.
extern "C" __global__ void __launch_bounds__(128)
    spmv_init(const Value* __restrict__ value_, const int* __restrict__ column_,
        const unsigned* __restrict__ tile_ptr_, const unsigned* __restrict__ thread_word_,
        const int* __restrict__ init_row_, const Value* __restrict__ x, Value* __restrict__ y,
        Value alpha, Value beta) {
  const Format f{value_, column_, tile_ptr_, thread_word_, init_row_};
  const Output out{y, alpha, beta};
  const int index = blockIdx.x * 128 + threadIdx.x;
  if (index < 6) global_init(out, f.init_row(index));
}

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(128)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const unsigned* __restrict__ tile_ptr_, const unsigned* __restrict__ thread_word_,
        const int* __restrict__ init_row_, const Value* __restrict__ x, Value* __restrict__ y,
        Value alpha, Value beta) {
  const Format f{value_, column_, tile_ptr_, thread_word_, init_row_};
  const Output out{y, alpha, beta};
  const int warp = blockIdx.x * 4 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (warp < 5) {
    const int thread = warp * 32 + lane;
    const int first_row = f.tile_ptr(warp);
    const auto row_of = [&](int segment) { return first_row + segment; };
    const auto emit = [&](int row, Value sum) { global_store(out, row, sum); };
    // The tile's first and last row may have parts in its neighbours.
    const auto edge = [&](int row, Value sum) { global_atomic(out, row, sum); };
    const unsigned word = f.thread_word(thread);
    // A tile's first flag is always set; its row may have begun in the tile before.
    const unsigned starts = f.bit_flag(word) & ~unsigned(lane == 0);
    const int open = max(f.y_offset(word) - 1, 0);
    const HeadTail part = thread_bitmap<16>(f.warp_first_entry(warp) + lane, 32, starts, open,
        term, row_of, emit);
    warp_segment(part, row_of, emit, edge);
  }
}
