// csr_init_add: two launches in a fixed order - spmv_init sets every row to beta * y, spmv adds.
extern "C" __global__ void spmv_init(const int*, const int*, const Value*, const Value*, Value* y,
                                     Value, Value beta) {
  const int row = blockIdx.x * 32 + threadIdx.x;
  if (row < ROWS) y[row] = beta == 0 ? Value(0) : beta * y[row];
}

KERNEL(64) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row < ROWS) out[row] += out.alpha * row_sum(f, x, row);
}
