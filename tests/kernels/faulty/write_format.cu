// write_format: nor is the format.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) const_cast<int*>(f.row_first)[row] = 0;
}
