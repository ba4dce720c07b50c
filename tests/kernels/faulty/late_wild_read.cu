// late_wild_read: the last block alone reads at an address that belongs to no array.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  const bool late = blockIdx.x + 1 == gridDim.x;
  if (row < ROWS) store(out, row, f.value[row + (late ? 200000000000ll : 0)]);
}
