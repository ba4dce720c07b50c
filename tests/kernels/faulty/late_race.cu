// late_race: only the last two blocks race; in a sample of a large grid they must still be seen.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  const bool late = blockIdx.x + 2 >= gridDim.x;
  if (row < ROWS) store(out, late ? ROWS - 1 : row, row_sum(f, x, row));
}
