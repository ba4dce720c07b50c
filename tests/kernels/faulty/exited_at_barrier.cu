// exited_at_barrier: threads without a row leave before the barrier.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= ROWS) return;
  __syncthreads();
  store(out, row, row_sum(f, x, row));
}
