// divergent_barriers: the block's threads wait at two different barriers.
KERNEL(256) {
  if (threadIdx.x < 64) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) store(out, row, row_sum(f, x, row));
}
