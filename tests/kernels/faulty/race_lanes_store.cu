// race_lanes_store: every lane of the warp stores the row.
KERNEL(256) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32;
  if (row >= ROWS) return;
  const Value sum = row_sum(f, x, row);
  out[row] = sum;
}
