// stack_overflow: recursion without end.
__device__ __noinline__ Value descend(Input x, int depth) {
  volatile Value local[64];
  for (int i = 0; i < 64; ++i) local[i] = x[0];
  return descend(x, depth + 1) + local[depth % 64];
}

KERNEL(256) { out[threadIdx.x] = descend(x, 0); }
