// endless_barriers: a loop without end, with a barrier in every round.
KERNEL(256) {
  __shared__ volatile int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  while (!done) __syncthreads();
  out[0] = 1;
}
