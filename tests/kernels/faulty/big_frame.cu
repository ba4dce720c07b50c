// big_frame: one frame larger than a stack and the guard below it.
__device__ __noinline__ void touch(volatile char* bytes) { bytes[0] = 1; }

KERNEL(256) {
  volatile char local[300000];
  touch(local);
  out[0] = local[0];
}
