// misaligned_vector: a load of 16 bytes at a multiple of 4.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= ROWS) return;
  const float4 part = *reinterpret_cast<const float4*>(f.column + 1);
  store(out, row, part.x);
}
