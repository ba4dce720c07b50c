// mask_without_caller: lanes 16 to 31 vote with a mask that does not name them.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  if (row < ROWS) store(out, row, __popc(__ballot_sync(0x0000ffffu, 1)));
}
