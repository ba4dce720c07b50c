// gather: every thread of a launch reads one entry of x, STRIDE apart, and writes its row.
struct Format {};

extern "C" __global__ void __launch_bounds__(128)
    spmv(const Format, const Value* __restrict__ x, const Output out) {
  const int row = blockIdx.x * 128 + threadIdx.x;
  out.y[row] = x[row * STRIDE];
}
