// csr_init_add: two launches, whose order matters - spmv_init sets every row to beta * y, spmv adds.
extern "C" __global__ void spmv_init(const Format, const Value* __restrict__, const Output out) {
  const int row = blockIdx.x * 32 + threadIdx.x;
  if (row < ROWS) out.y[row] = out.beta == 0 ? Value(0) : out.beta * out.y[row];
}

KERNEL(64) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row < ROWS) out.y[row] += out.alpha * row_sum(f, x, row);
}
