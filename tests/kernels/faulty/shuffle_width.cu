// shuffle_width: segments of 12 lanes do not exist.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  const Value sum = __shfl_down_sync(all_lanes, Value(1), 1, 12);
  if (row < ROWS) store(out, row, sum);
}
