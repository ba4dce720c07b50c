// gather: every thread of a launch reads one entry of x, STRIDE apart, and writes its row.
extern "C" __global__ void __launch_bounds__(128)
    spmv(const Value* __restrict__ x, Value* __restrict__ y, Value, Value) {
  const int row = blockIdx.x * 128 + threadIdx.x;
  y[row] = x[row * STRIDE];
}
