// wild_read: an address that belongs to no array.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) store(out, row, f.value[row + 200000000000ll]);
}
