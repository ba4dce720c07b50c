// csr_scalar: one thread a row.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) store(out, row, row_sum(f, x, row));
}
