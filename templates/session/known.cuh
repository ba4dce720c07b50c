// known: y = alpha * A * x + beta * y of a small matrix in CSR, a thread a row. It shows that a
// GPU, its driver and its compiler work.
extern "C" __global__ void __launch_bounds__(THREADS)
    known(const int* row_first,  // [ROWS + 1]
          const int* column,     // [entries]
          const Value* value,    // [entries]
          const Value* __restrict__ x, Value* __restrict__ y, Value alpha, Value beta) {
  const int row = blockIdx.x * THREADS + threadIdx.x;
  if (row >= ROWS) return;
  Value sum = 0;
  for (int nz = row_first[row]; nz < row_first[row + 1]; ++nz) sum += value[nz] * x[column[nz]];
  y[row] = alpha * sum + beta * y[row];
}
