// missing_syncthreads: neighbours in other warps may not have written yet.
KERNEL(256) {
  __shared__ Value table[256];
  table[threadIdx.x] = 1;
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) store(out, row, table[(threadIdx.x + 32) % 256]);
}
