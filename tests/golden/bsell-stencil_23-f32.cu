// dense_block_peel rows=3 cols=3 share=0 { sort_rows_in_bands rows=1024 | warp_bands bands=32 | thread_bands | thread_pad | interleave | thread_total | global_store | launch threads=256 } { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=256 }

// prelude: the few words every fragment may use - the value type and what a launch writes.
using Value = float;

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
};

/// A branch's part of the format, 59844 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;  // [11808] value of each stored entry; 0 for a pad
  const int* block_first_col_;  // [1312] first column of each block
  const unsigned* stored_places_;  // [1312] bit r * 3 + c: row r of the block has its column c
  const int* row_origin_;  // [529] row of y of each row

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int block_first_col(int i) const { return block_first_col_[i]; }
  __device__ __forceinline__ unsigned stored_places(int i) const { return stored_places_[i]; }
  __device__ __forceinline__ int row_origin(int i) const { return row_origin_[i]; }
  // first block of each warp; linear with a short end
  __device__ __forceinline__ int warp_first_block(int i) const { return min(224 * i, 1312); }
};

/// The format, 59844 bytes.
struct Format {
  Branch1 branch_1;  // blocks of 3 x 3
};

// global_store: the one writer of a row stores it.
__device__ __forceinline__ void global_store(const Output& out, int row, Value sum) {
  const Value old = out.beta == 0 ? Value(0) : out.beta * out.y[row];
  out.y[row] = out.alpha * sum + old;
}

// thread_total_band: one thread adds the products of a band of dense blocks, a sum for each of its
// rows.
//
// It reads blocks first, first + step, ... below end, as thread `local` of a tile whose threads are
// `step` positions apart; each has its first column and ROWS x COLS values, so that COLS loads of x
// serve all of them. Source: BCSR (Im, Yelick 1999) in the order of SELL (Kreutzer, Hager, Wellein,
// Fehske, Bishop 2014).
template <int ROWS, int COLS, class ColumnOf, class ValueOf, class Emit>
__device__ __forceinline__ void thread_total_band(int first, int end, int step, int local,
                                                  const Value* x, ColumnOf column_of,
                                                  ValueOf value_of, Emit emit) {
  Value sums[ROWS] = {};
  for (int block = first; block < end; block += step) {
    const int entry = block + (ROWS * COLS - 1) * (block - local);
    const Value* const block_x = x + column_of(block);
    Value factor[COLS];
#pragma unroll
    for (int c = 0; c < COLS; ++c) factor[c] = block_x[c];
#pragma unroll
    for (int place = 0; place < ROWS * COLS; ++place) {
      sums[place / COLS] += value_of(entry + place * step) * factor[place % COLS];
    }
  }
#pragma unroll
  for (int row = 0; row < ROWS; ++row) emit(row, sums[row]);
}

// thread_total_band_gaps: thread_total_band where blocks have places that are none of their row's.
//
// Their values are 0, which an Inf or NaN of x still makes NaN. A sum that is not finite is added
// up again by `term`, from a stored position, its block and its place there to the product, or to 0
// where the place is a gap.

/// The bits of a number that is not finite are all set in its exponent. Asked for as bits, because
/// fast arithmetic knows no such number.
__device__ __forceinline__ bool is_not_finite(float number) {
  return (__float_as_uint(number) & 0x7f800000u) == 0x7f800000u;
}
__device__ __forceinline__ bool is_not_finite(double number) {
  const long long exponent = 0x7ff0000000000000;
  return (__double_as_longlong(number) & exponent) == exponent;
}

template <int ROWS, int COLS, class ColumnOf, class ValueOf, class Term, class Emit>
__device__ __forceinline__ void thread_total_band_gaps(int first, int end, int step, int local,
                                                       const Value* x, ColumnOf column_of,
                                                       ValueOf value_of, Term term, Emit emit) {
  const auto without_gaps = [&](int row) {
    Value sum = 0;
    for (int block = first; block < end; block += step) {
      const int entry = block + (ROWS * COLS - 1) * (block - local);
      for (int place = row * COLS; place < (row + 1) * COLS; ++place) {
        sum += term(entry + place * step, block, place);
      }
    }
    return sum;
  };
  thread_total_band<ROWS, COLS>(
      first, end, step, local, x, column_of, value_of, [&](int row, Value sum) {
        emit(row, is_not_finite(sum) ? without_gaps(row) : sum);
      });
}

// Branch 1: blocks of 3 x 3.
extern "C" __global__ void __launch_bounds__(256)
    spmv_1(const Value* __restrict__ branch_1_value_,
        const int* __restrict__ branch_1_block_first_col_,
        const unsigned* __restrict__ branch_1_stored_places_,
        const int* __restrict__ branch_1_row_origin_, const Value* __restrict__ x,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Branch1 f{branch_1_value_, branch_1_block_first_col_, branch_1_stored_places_,
      branch_1_row_origin_};
  const Output out{y, alpha, beta};
  const int warp = blockIdx.x * 8 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const auto column_of = [&](int block) { return f.block_first_col(block); };
  const auto value_of = [&](int entry) { return f.value(entry); };
  // Fill and pads have no bit, and add nothing.
  const auto term = [&](int entry, int block, int place) {
    if ((f.stored_places(block) >> place & 1u) == 0) return Value(0);
    return value_of(entry) * x[column_of(block) + place % 3];
  };
  if (warp < 6) {
    const int thread = warp * 32 + lane;
    if (thread < 177) {
      // The last band has fewer rows.
      const auto emit = [&](int place, Value sum) {
        if (3 * thread + place < 529) global_store(out, f.row_origin(3 * thread + place), sum);
      };
      thread_total_band_gaps<3, 3>(f.warp_first_block(warp) + lane, f.warp_first_block(warp + 1),
          32, lane, x, column_of, value_of, term, emit);
    }
  }
}
