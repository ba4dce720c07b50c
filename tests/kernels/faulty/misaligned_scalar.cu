// misaligned_scalar: a double at a multiple of 4.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) store(out, row, *reinterpret_cast<const double*>(f.column + 1));
}
