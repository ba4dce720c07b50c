// gpu: a tile is a block; its threads are the lanes.
template <int GANG, class Call>
__device__ __forceinline__ void run(const Format& f, int number, Value* y, int told_most,
                                    Call call) {
  const int lane = threadIdx.x;
  Tile tile = tile_of(f, number);
  tile.own = {y, f.alpha[number], f.beta[number]};
  tile.log = {y + 3 * told_most * lane, told_most, 0};
  if (lane < tile.lanes) call(tile, lane);
}
