// write_past_shared: the table is one element short, and another array lies behind it.
KERNEL(256) {
  __shared__ Value table[256];
  __shared__ Value behind[256];
  behind[threadIdx.x] = 0;
  table[threadIdx.x + 1] = 1;
  __syncthreads();
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) store(out, row, behind[threadIdx.x] + table[threadIdx.x + 1]);
}
