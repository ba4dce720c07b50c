// compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | launch threads=256

// prelude: the few words every fragment may use - the value type and what a launch writes.
using Value = float;

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
};

/// The format, 3840 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [480] value of each stored entry; 0 for a pad
  const int* column_;  // [480] column of each stored entry

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
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

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const Value* __restrict__ x, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_};
  const Output out{y, alpha, beta};
  const int row = blockIdx.x * 256 + threadIdx.x;
  // A pad of an empty row has column -1 and adds nothing.
  const auto term = [&](int entry) {
    const int column = f.column(entry);
    const Value product = f.value(entry) * x[max(column, 0)];
    return column < 0 ? Value(0) : product;
  };
  if (row < 150) {
    const Value sum = thread_total_count<3>(row, 160, term);
    global_store(out, row, sum);
  }
}
