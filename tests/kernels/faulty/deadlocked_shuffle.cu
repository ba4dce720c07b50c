// deadlocked_shuffle: two lanes never come to the shuffle that their mask names them for.
KERNEL(256) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  Value sum = 1;
  if (lane < 30) sum += __shfl_down_sync(all_lanes, sum, 1);
  __syncthreads();
  if (lane == 0 && row < ROWS) store(out, row, sum);
}
