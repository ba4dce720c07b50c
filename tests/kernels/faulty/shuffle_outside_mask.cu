// shuffle_outside_mask: even lanes read odd ones, which their mask does not name.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  Value sum = 1;
  if (threadIdx.x % 2 == 0) sum += __shfl_xor_sync(0x55555555u, sum, 1);
  if (row < ROWS) store(out, row, sum);
}
