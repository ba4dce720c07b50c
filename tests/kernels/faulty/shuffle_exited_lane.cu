// shuffle_exited_lane: lane 7 has exited, lane 6 reads it.
KERNEL(256) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= ROWS || lane == 7) return;
  Value sum = row_sum(f, x, row, lane, 32);
  sum += __shfl_down_sync(all_lanes, sum, 1);
  if (lane == 0) store(out, row, sum);
}
