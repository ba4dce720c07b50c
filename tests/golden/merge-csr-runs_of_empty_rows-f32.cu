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

  __device__ __forceinline__ Value value(int i) const { return __ldg(value_ + i); }
  __device__ __forceinline__ int column(int i) const { return __ldg(column_ + i); }
  __device__ __forceinline__ int thread_first_nz(int i) const {
    return __ldg(thread_first_nz_ + i);
  }
  __device__ __forceinline__ int thread_first_row(int i) const {
    return __ldg(thread_first_row_ + i);
  }
  __device__ __forceinline__ int row_first_nz(int i) const { return __ldg(row_first_nz_ + i); }
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

// shared_segment: adds the heads of later threads of the block to the row that is open at the end
// of each thread, through shared memory.
//
// Every thread of the block takes part. Rows that end inside the block are emitted; its first and
// its last row, which neighbours may share, leave through `edge`. `heads` [THREADS] and `flags`
// [THREADS / 32] may be written again after the next barrier.
template <int THREADS, class RowOf, class Emit, class Edge>
__device__ __forceinline__ void shared_segment(HeadTail part, Value* heads, unsigned* flags,
                                               RowOf row_of, Emit emit, Edge edge) {
  const int thread = threadIdx.x;
  const bool begins = part.last != part.first;
  const unsigned warp_flags = __ballot_sync(full_warp, begins);
  heads[thread] = part.head;
  if (thread % 32 == 0) flags[thread / 32] = warp_flags;
  __syncthreads();

  if (begins || thread == 0) {
    // The heads up to the next thread that begins a row are parts of the row open here.
    Value sum = begins ? part.tail : part.head;
    bool later = false;
    for (int next = thread + 1; next < THREADS && !later; ++next) {
      sum += heads[next];
      later = flags[next / 32] >> next % 32 & 1u;
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
    spmv(const Format f, const Value* __restrict__ x, const Output out) {
  __shared__ Value table[128];
  __shared__ unsigned flags[4];
  const int block = blockIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * __ldg(x + f.column(entry)); };
  const int thread = block * 128 + threadIdx.x;
  const int first_row = f.thread_first_row(block * 128);
  const auto row_end = [&](int row) { return f.row_first_nz(row + 1); };
  const auto row_of = [&](int row) { return row; };
  const auto emit = [&](int row, Value sum) { global_store(out, row, sum); };
  // The tile's first and last row may have parts in its neighbours.
  const auto edge = [&](int row, Value sum) {
    global_carry(f.carry(), block, row != first_row, sum);
  };
  const HeadTail part = thread_merge(f.thread_first_nz(thread), f.thread_first_nz(thread + 1),
      f.thread_first_row(thread), f.thread_first_row(thread + 1), row_end, term, row_of, emit);
  shared_segment<128>(part, table, flags, row_of, emit, edge);
}

// The rows that tiles share: their parts in order, launched last.
extern "C" __global__ void __launch_bounds__(128)
    spmv_carry(const Format f, const Value* __restrict__ x, const Output out) {
  const int index = blockIdx.x * 128 + threadIdx.x;
  if (index < 2) {
    const Value sum = carry_total<1>(f.carry(), index, index + 1, 0);
    global_store(out, f.carry_row(index), sum);
  }
}
