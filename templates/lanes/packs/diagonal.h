#pragma once
#include "bits_of_run.h"

/// Row first + l of X for lane l if it has an entry, else 0 for any contents of X there. Nothing
/// outside of X [cols] is read.
template <int G, class BitsOf>
INLINE Lanes<G> diagonal(Input x, int, int first, Run<G> entry, BitsOf bits_of) {
  const std::uint64_t bits = bits_of_run(entry, bits_of);
  constexpr std::uint64_t all = (std::uint64_t{2} << (G - 1)) - 1;
  Lanes<G> lanes;
  if (bits == all) {
#pragma GCC unroll 64
    for (int lane = 0; lane < G; ++lane) lanes.part[lane] = x[first + lane];
  } else {
#pragma GCC unroll 64
    for (int lane = 0; lane < G; ++lane)
      lanes.part[lane] = bits >> lane & 1 ? x[first + lane] : Value(0);
  }
  return lanes;
}
