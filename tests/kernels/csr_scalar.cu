// csr_scalar: one thread a row.
struct Format {
  const int* row_first_;
  const int* column_;
  const Value* value_;
};

extern "C" __global__ void __launch_bounds__(256)
    spmv(const Format f, const Value* __restrict__ x, const Output out) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= ROWS) return;
  Value sum = 0;
  for (int nz = f.row_first_[row]; nz < f.row_first_[row + 1]; ++nz) {
    sum += __ldcs(f.value_ + nz) * __ldg(x + f.column_[nz]);
  }
  out.y[row] = out.alpha * sum + (out.beta == 0 ? Value(0) : out.beta * out.y[row]);
}
