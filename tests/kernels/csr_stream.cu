// csr_stream: a block multiplies the entries of 64 rows into shared memory, then adds them up.
KERNEL(64) {
  __shared__ Value table[256];
  const int first_row = blockIdx.x * 64;
  const int end_row = min(first_row + 64, ROWS);
  const int first = f.row_first[first_row], end = f.row_first[end_row];
  const int row = first_row + threadIdx.x;
  Value sum = 0;
  for (int part = first; part < end; part += 256) {
    for (int nz = part + threadIdx.x; nz < min(part + 256, end); nz += 64) {
      table[nz - part] = f.value[nz] * x[f.column[nz]];
    }
    __syncthreads();
    if (row < end_row) {
      const int stop = min(f.row_first[row + 1], part + 256);
      for (int nz = max(f.row_first[row], part); nz < stop; ++nz) sum += table[nz - part];
    }
    __syncthreads();
  }
  if (row < end_row) store(out, row, sum);
}
