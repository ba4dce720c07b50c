// gather_by_hardware: elements of x, as many by one instruction as a register holds, where the
// processor has such an instruction for elements of 8 bytes.
#pragma once
#include "gather.h"

/// A loop that compilers make gathers of. All lanes are there, unused ones too.
template <class Columns, int G = Columns::gang>
INLINE Lanes<G> gather_by_hardware(Input x, const Columns& columns) {
  if constexpr (is_double) return gather(x, columns);
  typedef double Word __attribute__((aligned(sizeof(Real)), may_alias));
  alignas(64) Word gathered[G];
  for (int lane = 0; lane < G; ++lane)
    gathered[lane] = reinterpret_cast<const Word&>(x[columns[lane]]);
  Lanes<G> lanes;
  std::memcpy(&lanes, gathered, sizeof lanes);
  return lanes;
}

/// Neighbours: no gather at all.
template <int G>
INLINE Lanes<G> gather_by_hardware(Input x, Run<G> columns) {
  return gather(x, columns);
}
