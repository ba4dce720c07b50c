// gather: the rate at which x can be read where columns have no order. Every thread reads one value
// of GATHERS sectors at random places of x, which has 2^SECTOR_BITS sectors of 32 bytes. The places
// are a hash of their numbers, so that neighbours have no common step.
extern "C" __global__ void __launch_bounds__(256)
    gather(const Value* __restrict__ x, Value* __restrict__ y, Value, Value) {
  const unsigned thread = blockIdx.x * 256 + threadIdx.x;
  Value sum = 0;
#pragma unroll
  for (int i = 0; i < GATHERS; ++i) {
    unsigned random = thread * GATHERS + i + 1;
    random = (random ^ (random >> 16)) * 0x7feb352du;
    random = (random ^ (random >> 15)) * 0x846ca68bu;
    random ^= random >> 16;
    sum += x[(random >> (32 - SECTOR_BITS)) * 8];
  }
  y[thread] = sum;
}
