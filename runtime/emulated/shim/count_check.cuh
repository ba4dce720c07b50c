// count_check: loops that a warp's lanes leave at different times; how often the warp runs the
// inner one can be told beforehand. The emulator counts it once for each compiler: see
// runtime/emulated/count_check.h.
extern "C" __global__ void __launch_bounds__(THREADS)
    count_check(const int* row_first,  // [ROWS + 1]
                const int* columns,    // [entries]
                const Value* __restrict__ x, Value* __restrict__ y, Value, Value) {
  const int step = gridDim.x * THREADS;
  for (int row = blockIdx.x * THREADS + threadIdx.x; row < ROWS; row += step) {
    const int end = row_first[row + 1];
    int nz = row_first[row];
    if (nz == end) {
      y[row] = 0;
      continue;
    }
    Value sum = 0;
    while (true) {
      const int column = columns[nz];
      const Value term = x[column];
      if (column & 1) {
        sum += term * term;
      } else {
        sum -= term;
      }
      if (++nz >= end) break;
    }
    y[row] = sum;
  }
}
