// race_reader_and_writer: the first block reads row 0, the second writes it.
KERNEL(256) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) out[1] = out[0];
  if (blockIdx.x == 1) out[0] = 1;
}
