// csr_vector: one warp a row, summed by shuffles.
struct Format {
  const int* row_first_;
  const int* column_;
  const Value* value_;
};

extern "C" __global__ void __launch_bounds__(256)
    spmv(const Format f, const Value* __restrict__ x, const Output out) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= ROWS) return;
  Value sum = 0;
  for (int nz = f.row_first_[row] + lane; nz < f.row_first_[row + 1]; nz += 32) {
    sum += __ldcs(f.value_ + nz) * __ldg(x + f.column_[nz]);
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(full_warp, sum, step);
  if (lane == 0) {
    out.y[row] = out.alpha * sum + (out.beta == 0 ? Value(0) : out.beta * out.y[row]);
  }
}
