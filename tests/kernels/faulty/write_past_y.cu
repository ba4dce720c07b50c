// write_past_y: every row stored one further down.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) out[row + 1] = row_sum(f, x, row);
}
