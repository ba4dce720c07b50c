// too_much_shared: more static shared memory than a block may have.
KERNEL(256) {
  __shared__ double table[7000];
  table[threadIdx.x] = 1;
  __syncthreads();
  out[0] = table[0];
}
