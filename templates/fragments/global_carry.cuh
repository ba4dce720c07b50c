// global_carry: a tile leaves its part of a row to the launch that adds parts up.
//
// carry[2 * tile] is a part of the tile's first row, carry[2 * tile + 1] of its last, where that
// is another one.
#pragma once
#include "prelude.cuh"

__device__ __forceinline__ void global_carry(Value* carry, int tile, bool is_last, Value sum) {
  carry[2 * tile + is_last] = sum;
}
