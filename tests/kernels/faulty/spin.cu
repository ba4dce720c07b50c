// spin: waits for a value that nobody will write.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= ROWS) return;
  volatile Value* mine = &out[row];
  *mine = 1;
  while (*mine == 1) {
  }
}
