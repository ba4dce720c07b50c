// sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total | global_store | launch threads=256

// prelude: the few words every fragment may use - the value type and what a launch writes.
using Value = float;

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
};

/// The format, 2112 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [189] value of each stored entry; 0 for a pad
  const int* column_;  // [189] column of each stored entry
  const int* row_origin_;  // [150] row of y of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  // first stored entry of each diagonal; linear
  __device__ __forceinline__ int diagonal_first_entry(int i) const { return 63 * i; }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
};

// thread_total_ragged: one thread adds its products in a tile that is stored by jagged diagonals.
//
// Diagonal k begins at entry_of(k) and holds the k-th product of every thread that has one; those
// threads come first, so a thread stops at the first diagonal that is too short for it. Source: JDS
// (Saad 1989).
template <class EntryOf, class Term>
__device__ __forceinline__ Value thread_total_ragged(int first_diagonal, int end_diagonal,
                                                     int local, EntryOf entry_of, Term term) {
  Value sum = 0;
  int next = entry_of(first_diagonal);
  for (int diagonal = first_diagonal; diagonal < end_diagonal; ++diagonal) {
    const int entry = next + local;
    next = entry_of(diagonal + 1);
    if (entry >= next) break;
    sum += term(entry);
  }
  return sum;
}

// global_store: the one writer of a row stores it.
__device__ __forceinline__ void global_store(const Output& out, int row, Value sum) {
  const Value old = out.beta == 0 ? Value(0) : out.beta * out.y[row];
  out.y[row] = out.alpha * sum + old;
}

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ row_origin_, const Value* __restrict__ x, Value* __restrict__ y,
        Value alpha, Value beta) {
  const Format f{value_, column_, row_origin_};
  const Output out{y, alpha, beta};
  const int row = blockIdx.x * 256 + threadIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const auto entry_of = [&](int diagonal) { return f.diagonal_first_entry(diagonal); };
  if (row < 150) {
    const int y_row = f.row_origin(row);
    const Value sum = thread_total_ragged(0, 3, row, entry_of, term);
    global_store(out, y_row, sum);
  }
}
