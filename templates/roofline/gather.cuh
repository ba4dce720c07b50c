// gather: every thread reads one value of GATHERS sectors at random places of x, which has
// 2^SECTOR_BITS sectors of 32 bytes - as fast as x can be read where columns have no order.
struct Format {};

extern "C" __global__ void __launch_bounds__(256)
    gather(const Format, const Value* __restrict__ x, const Output out) {
  const unsigned thread = blockIdx.x * 256 + threadIdx.x;
  unsigned random = thread * 2654435761u;
  Value sum = 0;
#pragma unroll
  for (int i = 0; i < GATHERS; ++i) {
    random = random * 1664525u + 1013904223u;
    sum += x[(random >> (32 - SECTOR_BITS)) * 8];
  }
  out.y[thread] = sum;
}
