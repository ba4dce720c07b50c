// copy: y = x, 16 bytes a thread - what memory gives to a kernel that does nothing else.
extern "C" __global__ void __launch_bounds__(256)
    copy(const Value* __restrict__ x, Value* __restrict__ y, Value, Value) {
  const int word = blockIdx.x * 256 + threadIdx.x;
  reinterpret_cast<float4*>(y)[word] = reinterpret_cast<const float4*>(x)[word];
}
