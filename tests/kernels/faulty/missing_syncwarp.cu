// missing_syncwarp: lanes of one warp are not in step either.
KERNEL(256) {
  __shared__ Value table[256];
  table[threadIdx.x] = 1;
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) store(out, row, table[threadIdx.x ^ 1]);
}
