// csr_vector: one warp a row, summed by shuffles.
KERNEL(256) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= ROWS) return;
  Value sum = row_sum(f, x, row, lane, 32);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(all_lanes, sum, step);
  if (lane == 0) store(out, row, sum);
}
