// symmetric_half | sort_rows | compress | thread_cols lanes=8 | thread_total | warp_total | global_atomic | launch threads=256

// prelude: the few words every fragment may use - the value type and what a launch writes.
using Value = float;

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
};

/// The format, 3028 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;  // [281] value of each stored entry; 0 for a pad
  const int* column_;  // [281] column of each stored entry
  const int* row_origin_;  // [97] row of y of each row
  const int* row_first_nz_;  // [98] first non-zero of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
  __device__ __forceinline__ int row_first_nz(int i) const { return row_first_nz_[i]; }
};

// mirror_add: one triangle of a symmetric matrix is stored; an entry that is read for its own row
// adds the product of its mirror image to the image's row, which an earlier launch set to beta * y.
//
// The diagonal is its own image.
__device__ __forceinline__ void mirror_add(const Output& out, int row, int column, Value product) {
  if (column != row) atomicAdd(out.y + column, out.alpha * product);
}

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

// global_atomic: one of several writers adds to a row that an earlier launch set to beta * y.
__device__ __forceinline__ void global_atomic(const Output& out, int row, Value sum) {
  atomicAdd(out.y + row, out.alpha * sum);
}

// global_init: sets a row that no launch stores whole (it has no writer, or several) to beta * y,
// or 0.
__device__ __forceinline__ void global_init(const Output& out, int row) {
  out.y[row] = out.beta == 0 ? Value(0) : out.beta * out.y[row];
}

// The rows that are added to, or have no entries: y = beta * y, launched first.
extern "C" __global__ void __launch_bounds__(256)
    spmv_init(const Value* __restrict__, const int* __restrict__, const int* __restrict__,
        const int* __restrict__, const Value* __restrict__ x, Value* __restrict__ y, Value alpha,
        Value beta) {
  const Output out{y, alpha, beta};
  const int index = blockIdx.x * 256 + threadIdx.x;
  if (index < 97) global_init(out, index);
}

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ row_origin_, const int* __restrict__ row_first_nz_,
        const Value* __restrict__ x, Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, row_origin_, row_first_nz_};
  const Output out{y, alpha, beta};
  const int row = blockIdx.x * 32 + threadIdx.x / 8;
  const int y_row = row < 97 ? f.row_origin(row) : 0;
  const Value row_x = x[y_row];
  const auto term = [&](int entry) {
    const int column = f.column(entry);
    const Value value = f.value(entry), other = x[column];
    mirror_add(out, y_row, column, value * row_x);
    return value * other;
  };
  const int group_lane = threadIdx.x % 8;
  Value sum = 0;
  if (row < 97) sum = thread_total(f.row_first_nz(row) + group_lane, f.row_first_nz(row + 1), 8,
      term);
  const Value warp_sum = warp_total<8>(sum);
  if (row < 97 && group_lane == 0) global_atomic(out, y_row, warp_sum);
}
