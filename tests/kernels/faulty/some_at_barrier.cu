// some_at_barrier: half of the block waits for a barrier while the other half waits in a shuffle.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  Value sum = 1;
  if (threadIdx.x % 32 < 16) {
    __syncthreads();
  } else {
    sum = __shfl_xor_sync(all_lanes, sum, 1);
  }
  if (row < ROWS) store(out, row, sum);
}
