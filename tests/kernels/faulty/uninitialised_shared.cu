// uninitialised_shared: element 0 of the table is never written.
KERNEL(256) {
  __shared__ Value table[256];
  if (threadIdx.x > 0) table[threadIdx.x] = 1;
  __syncthreads();
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) store(out, row, table[threadIdx.x]);
}
