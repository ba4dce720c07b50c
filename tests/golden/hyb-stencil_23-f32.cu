// ell_peel width=third { compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | launch threads=256 } { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=256 }

// prelude: the few words every fragment may use - the value type and what a launch writes.
using Value = float;

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
};

/// A branch's part of the format, 21760 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;  // [2720] value of each stored entry; 0 for a pad
  const int* column_;  // [2720] column of each stored entry

  __device__ __forceinline__ Value value(int i) const { return __ldg(value_ + i); }
  __device__ __forceinline__ int column(int i) const { return __ldg(column_ + i); }
};

/// The format, 21760 bytes.
struct Format {
  Branch1 branch_1;  // the first 5 non-zeros of each row
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

// Branch 1: the first 5 non-zeros of each row.
extern "C" __global__ void __launch_bounds__(256)
    spmv_1(const Format format, const Value* __restrict__ x, const Output out) {
  const Branch1& f = format.branch_1;
  const int row = blockIdx.x * 256 + threadIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * __ldg(x + f.column(entry)); };
  if (row < 529) {
    const Value sum = thread_total(row, 2720, 544, term);
    global_store(out, row, sum);
  }
}
