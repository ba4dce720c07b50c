// different_masks: the lanes of a warp disagree on their mask, and half of them go on alone.
KERNEL(256) {
  const int row = blockIdx.x * 256 + threadIdx.x;
  __syncwarp(threadIdx.x % 32 < 16 ? all_lanes : 0xffff0000u);
  __syncthreads();
  if (row < ROWS) store(out, row, 1);
}
