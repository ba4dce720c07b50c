// compress | thread_cols lanes=8 | thread_pad multiple=4 | thread_total vector=4 | warp_total |
// global_store | launch threads=256

/// The format, 33160 bytes; every array is read through a function of its name.
struct Format {
  const Value* value_;          // [3880] value of each stored entry; 0 for a pad
  const int* column_;           // [3880] column of each stored entry
  const int* row_first_entry_;  // [530] first stored entry of each row

  __device__ __forceinline__ float4 value4(int i) const {
    return *reinterpret_cast<const float4*>(value_ + i);
  }
  __device__ __forceinline__ int4 column4(int i) const {
    return *reinterpret_cast<const int4*>(column_ + i);
  }
  __device__ __forceinline__ int row_first_entry(int i) const { return row_first_entry_[i]; }
};

// y = alpha * A * x + beta * y.
extern "C" __global__ void __launch_bounds__(256)
    spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
        const int* __restrict__ row_first_entry_, const Value* __restrict__ x_,
        Value* __restrict__ y, Value alpha, Value beta) {
  const Format f{value_, column_, row_first_entry_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 529;
  constexpr int lanes = 8;
  const int row = blockIdx.x * 32 + threadIdx.x / lanes;
  const int group_lane = threadIdx.x % lanes;
  // 4 neighbours are loaded at once: they begin at a multiple of 4.
  const auto term = [&](int entry) {
    const int4 column = f.column4(entry);
    const float4 value = f.value4(entry);
    return value.x * x[column.x] + value.y * x[column.y] +
        value.z * x[column.z] + value.w * x[column.w];
  };
  Value sum = 0;
  if (row < rows)
    sum = thread_total_once(f.row_first_entry(row) + 4 * group_lane, f.row_first_entry(row + 1),
        term);
  const Value warp_sum = warp_total<8>(sum);
  if (row < rows && group_lane == 0) global_store(out, row, warp_sum);
}
