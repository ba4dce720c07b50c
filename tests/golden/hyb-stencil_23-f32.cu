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

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
};

/// The format, 21760 bytes.
struct Format {
  Branch1 branch_1;  // the first 5 non-zeros of each row
};

// thread_total_count: one thread adds the products at its COUNT stored positions first,
// first + step, ...
//
// The number is known, so that nothing is asked between two products, and their loads can all be in
// flight together.
template <int COUNT, class Term>
__device__ __forceinline__ Value thread_total_count(int first, int step, Term term) {
  Value sum = 0;
#pragma unroll
  for (int k = 0; k < COUNT; ++k) sum += term(first + k * step);
  return sum;
}

// global_store: the one writer of a row stores it.
__device__ __forceinline__ void global_store(const Output& out, int row, Value sum) {
  const Value old = out.beta == 0 ? Value(0) : out.beta * out.y[row];
  out.y[row] = out.alpha * sum + old;
}

// Branch 1: the first 5 non-zeros of each row.
extern "C" __global__ void __launch_bounds__(256)
    spmv_1(const Value* __restrict__ branch_1_value_, const int* __restrict__ branch_1_column_,
        const Value* __restrict__ x, Value* __restrict__ y, Value alpha, Value beta) {
  const Branch1 f{branch_1_value_, branch_1_column_};
  const Output out{y, alpha, beta};
  const int row = blockIdx.x * 256 + threadIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (row < 529) {
    const Value sum = thread_total_count<5>(row, 544, term);
    global_store(out, row, sum);
  }
}
