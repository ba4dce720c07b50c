// read: every thread reads 64 bytes of x - the throughput of memory for a kernel that writes
// nothing. No element of x is negative, which the compiler does not know.
extern "C" __global__ void __launch_bounds__(256)
    read(const Value* __restrict__ x, Value* __restrict__ y, Value, Value) {
  const float4* const words = reinterpret_cast<const float4*>(x);
  Value sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float4 word = words[(blockIdx.x * 4 + i) * 256 + threadIdx.x];
    sum += (word.x + word.y) + (word.z + word.w);
  }
  if (sum < 0) y[0] = sum;
}
