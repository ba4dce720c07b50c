// missing_second_syncthreads: the table is written again while others may still read it.
KERNEL(256) {
  __shared__ Value table[256];
  Value sum = 0;
  for (int round = 0; round < 2; ++round) {
    table[threadIdx.x] = round;
    __syncthreads();
    sum += table[255 - threadIdx.x];
  }
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) store(out, row, sum);
}
