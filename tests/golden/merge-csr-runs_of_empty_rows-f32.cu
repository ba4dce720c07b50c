// compress | block_merge_path items=896 | thread_merge_path items=7 | thread_merge | shared_offset | global_carry | launch threads=128

// prelude: the few words every fragment may use - the value type and what a launch writes.
using Value = float;

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
};

/// The format, 3148 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [189] value of each stored entry; 0 for a pad
  const int* column_;  // [189] column of each stored entry
  const int* thread_first_nz_;  // [129] non-zeros before each thread's piece of the merge path
  const int* thread_first_row_;  // [129] row that is open where it begins
  const int* row_first_nz_;  // [151] first non-zero of each row
  Value* carry_;  // [2] parts of rows that tiles share, two a tile

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int thread_first_nz(int i) const { return thread_first_nz_[i]; }
  __device__ __forceinline__ int thread_first_row(int i) const { return thread_first_row_[i]; }
  __device__ __forceinline__ int row_first_nz(int i) const { return row_first_nz_[i]; }
  // rows of y that tiles share; linear
  __device__ __forceinline__ int carry_row(int i) const { return 149 * i; }
  __device__ __forceinline__ Value* carry() const { return carry_; }
};

// global_store: the one writer of a row stores it.
__device__ __forceinline__ void global_store(const Output& out, int row, Value sum) {
  const Value old = out.beta == 0 ? Value(0) : out.beta * out.y[row];
  out.y[row] = out.alpha * sum + old;
}

// global_carry: a tile leaves its part of a row at one of its ends to the launch that adds parts
// up.

/// carry[2 * tile] is a part of the tile's first row, carry[2 * tile + 1] of its last, where that
/// is another one.
__device__ __forceinline__ void global_carry(Value* carry, int tile, bool is_last, Value sum) {
  carry[2 * tile + is_last] = sum;
}

// stage_products: the threads of a block bring the products at stored positions [first, end) into
// shared memory, neighbours side by side.
//
// There are THREADS * ITEMS of them at most. The whole block must arrive; behind the barrier they
// are complete. Threads that walk pieces of an odd length then meet different banks.
template <int THREADS, int ITEMS, class Term>
__device__ __forceinline__ void stage_products(Value* products, int first, int end, Term term) {
  constexpr int batch = ITEMS < 16 ? ITEMS : 16;  // loads in flight for which there are registers
#pragma unroll 1
  for (int place = threadIdx.x; place < end - first; place += batch * THREADS) {
    Value loaded[batch] = {};
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (k * THREADS < end - first - place) loaded[k] = term(first + place + k * THREADS);
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (k * THREADS < end - first - place) products[place + k * THREADS] = loaded[k];
    }
  }
  __syncthreads();
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

// thread_merge: one thread walks its piece of the merge path, entries [entry, end) of the rows from
// first_row to last_row, of which all but the last end inside it.
//
// A row that both begins and ends inside the thread is emitted; the first and the last, which
// neighbours may share, are given on as head and tail. Source: Merrill, Garland 2016.
template <class RowEnd, class Term, class RowOf, class Emit>
__device__ __forceinline__ HeadTail thread_merge(int entry, int end, int first_row, int last_row,
                                                 RowEnd row_end, Term term, RowOf row_of,
                                                 Emit emit) {
  HeadTail part{0, 0, first_row, last_row};
  Value sum = 0;
  for (int row = first_row; row < last_row; ++row) {
    for (const int stop = row_end(row); entry < stop; ++entry) sum += term(entry);
    if (row == first_row) {
      part.head = sum;
    } else {
      emit(row_of(row), sum);
    }
    sum = 0;
  }
  for (; entry < end; ++entry) sum += term(entry);
  (first_row == last_row ? part.head : part.tail) = sum;
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

// shared_segment: adds the heads of later threads of the block to the row that is open at the end
// of each thread, by shuffles in each warp and through shared memory between warps.
//
// Every thread of the block takes part. Rows that end inside the block are emitted; its first and
// its last row, which neighbours may share, leave through `edge`. `heads` [THREADS / 32], what each
// warp adds to the row that is open before it, and `flags` [THREADS / 32] may be written again
// after the next barrier.
template <int THREADS, class RowOf, class Emit, class Edge>
__device__ __forceinline__ void shared_segment(HeadTail part, Value* heads, unsigned* flags,
                                               RowOf row_of, Emit emit, Edge edge) {
  const int thread = threadIdx.x, lane = thread % 32;
  const bool begins = part.last != part.first;
  const unsigned warp_flags = __ballot_sync(full_warp, begins);
  const unsigned later_lanes = warp_flags & ~1u << lane;
  const Value lanes_heads = later_heads(part.head, later_lanes);
  if (lane == 0) {
    heads[thread / 32] = begins ? part.head : part.head + lanes_heads;
    flags[thread / 32] = warp_flags;
  }
  __syncthreads();

  if (begins || thread == 0) {
    Value sum = (begins ? part.tail : part.head) + lanes_heads;
    bool later = later_lanes != 0;
    for (int warp = thread / 32 + 1; warp < THREADS / 32 && !later; ++warp) {
      sum += heads[warp];
      later = flags[warp] != 0;
    }
    if (thread == 0) edge(row_of(part.first), begins ? part.head : sum);
    if (begins) {
      const int row = row_of(part.last);
      if (later) {
        emit(row, sum);
      } else {
        edge(row, sum);
      }
    }
  }
}

// carry_total: adds the parts of one row that tiles have left, in their order.
//
// The first part may be the last row of its tile; the others are all first rows. LANES neighbouring
// lanes take part, lane by lane in turn.
template <int LANES>
__device__ __forceinline__ Value carry_total(const Value* carry, int first, int end, int lane) {
  Value sum = lane == 0 ? carry[first] : Value(0);
  const int next = first / 2 * 2 + 2;
  for (int slot = next + 2 * lane; slot < end; slot += 2 * LANES) sum += carry[slot];
  return sum;
}

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(128)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ thread_first_nz_, const int* __restrict__ thread_first_row_,
        const int* __restrict__ row_first_nz_, Value* __restrict__ carry_,
        const Value* __restrict__ x, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, thread_first_nz_, thread_first_row_, row_first_nz_, carry_};
  const Output out{y, alpha, beta};
  __shared__ Value table[4];
  __shared__ Value products[896];
  __shared__ unsigned flags[4];
  const int block = blockIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const int thread = block * 128 + threadIdx.x;
  const int first_row = f.thread_first_row(block * 128);
  const auto row_end = [&](int row) { return f.row_first_nz(row + 1); };
  const auto row_of = [&](int row) { return row; };
  const auto emit = [&](int row, Value sum) { global_store(out, row, sum); };
  // The tile's first and last row may have parts in its neighbours.
  const auto edge = [&](int row, Value sum) {
    global_carry(f.carry(), block, row != first_row, sum);
  };
  const int first_nz = f.thread_first_nz(block * 128);
  stage_products<128, 7>(products, first_nz, f.thread_first_nz((block + 1) * 128), term);
  const auto product = [&](int entry) { return products[entry - first_nz]; };
  const HeadTail part = thread_merge(f.thread_first_nz(thread), f.thread_first_nz(thread + 1),
      f.thread_first_row(thread), f.thread_first_row(thread + 1), row_end, product, row_of, emit);
  shared_segment<128>(part, table, flags, row_of, emit, edge);
}

// The rows that tiles share: their parts in order, launched last.
extern "C" __global__ void __launch_bounds__(128)
    spmv_carry(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ thread_first_nz_, const int* __restrict__ thread_first_row_,
        const int* __restrict__ row_first_nz_, Value* __restrict__ carry_,
        const Value* __restrict__ x, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, thread_first_nz_, thread_first_row_, row_first_nz_, carry_};
  const Output out{y, alpha, beta};
  const int index = blockIdx.x * 128 + threadIdx.x;
  if (index < 2) {
    const Value sum = carry_total<1>(f.carry(), index, index + 1, 0);
    global_store(out, f.carry_row(index), sum);
  }
}
