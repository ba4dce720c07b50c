// read_before_x: columns counted from one.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= ROWS) return;
  Value sum = 0;
  for (int nz = f.row_first[row]; nz < f.row_first[row + 1]; ++nz) sum += x[f.column[nz] - 1];
  store(out, row, sum);
}
