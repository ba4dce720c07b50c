// uninitialised_shared_atomic: a sum in shared memory that nobody has set to zero.
KERNEL(256) {
  __shared__ Value sum;
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) atomicAdd(&sum, row_sum(f, x, row));
}
