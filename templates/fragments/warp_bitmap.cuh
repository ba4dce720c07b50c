// warp_bitmap: adds one sum a lane to the rows of a warp, which a bitmap of its lanes tells apart.
//
// Bit l of `starts` says that lane l begins a row. Every lane of the warp takes part. Rows that end
// inside the warp are emitted; its first and its last row, which neighbours may share, leave
// through `edge`.
#pragma once
#include "full_warp.cuh"
#include "prelude.cuh"

template <class RowOf, class Emit, class Edge>
__device__ __forceinline__ void warp_bitmap(Value sum, unsigned starts, RowOf row_of, Emit emit,
                                            Edge edge) {
  const int lane = threadIdx.x % warp_size;
  const unsigned later = starts & ~1u << lane;
  const int last = later ? __ffs(later) - 2 : 31;  // the last lane of this one's row
#pragma unroll
  for (int step = 1; step < warp_size; step *= 2) {
    const Value next = __shfl_down_sync(full_warp, sum, step);
    if (lane + step <= last) sum += next;
  }
  if (lane == 0 || starts >> lane & 1u) {
    const int row = row_of(__popc(starts & ~(~1u << lane)));
    if (lane == 0 || !later) {
      edge(row, sum);
    } else {
      emit(row, sum);
    }
  }
}
