// compress | thread_cols lanes=32 | thread_total | warp_total | global_store | launch threads=256

// prelude: the few words every fragment may use - the value type and what a launch writes.
using Value = float;

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
};

/// The format, 2116 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [189] value of each stored entry; 0 for a pad
  const int* column_;  // [189] column of each stored entry
  const int* row_first_nz_;  // [151] first non-zero of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int row_first_nz(int i) const { return row_first_nz_[i]; }
};

// thread_total: one thread adds the products at its stored positions first, first + step, ...
// below end.
template <class Term>
__device__ __forceinline__ Value thread_total(int first, int end, int step, Term term) {
  Value sum = 0;
  for (int entry = first; entry < end; entry += step) sum += term(entry);
  return sum;
}

// full_warp: the mask of a collective that every lane takes part in; there is no other kind here.

constexpr unsigned full_warp = 0xffffffffu;

// warp_total: adds one sum a lane over groups of LANES lanes; lane 0 of a group gets the total.
//
// Every lane of the warp takes part; one without work brings 0.
template <int LANES>
__device__ __forceinline__ Value warp_total(Value sum) {
#pragma unroll
  for (int step = LANES / 2; step > 0; step /= 2) {
    sum += __shfl_down_sync(full_warp, sum, step, LANES);
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
        const int* __restrict__ row_first_nz_, const Value* __restrict__ x, Value* __restrict__ y,
        Value alpha, Value beta) {
  const Format f{value_, column_, row_first_nz_};
  const Output out{y, alpha, beta};
  const int row = blockIdx.x * 8 + threadIdx.x / 32;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  const int lane = threadIdx.x % 32;
  if (row < 150) {
    const Value sum = thread_total(f.row_first_nz(row) + lane, f.row_first_nz(row + 1), 32, term);
    const Value warp_sum = warp_total<32>(sum);
    if (lane == 0) global_store(out, row, warp_sum);
  }
}
