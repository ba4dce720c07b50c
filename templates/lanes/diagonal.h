#pragma once
#include "bits_of_run.h"

/// Elements first, first + 1, ... of x, a register after the other; where that would read outside
/// of x [cols], only those with a bit that is set.
template <int G>
INLINE Lanes<G> at_an_end(Input x, int cols, int first, std::uint64_t bits) {
  using R = Lanes<G>;
  Lanes<G> some;
  for (int p = 0; p < R::count; ++p, first += R::width, bits >>= R::width) {
    if (first >= 0 && first <= cols - R::width) {
      some.part[p] = *reinterpret_cast<const typename R::Vector*>(&x[first]);
    } else {
      for (int l = 0; l < R::width; ++l) some.part[p][l] = bits >> l & 1 ? x[first + l] : 0;
    }
  }
  return some;
}

/// Element first + l of x for lane l if it has an entry, else 0 for any contents of x there.
/// Nothing outside of x [cols] is read.
template <int G, class BitsOf>
INLINE Lanes<G> diagonal(Input x, int cols, int first, Run<G> entry, BitsOf bits_of) {
  const std::uint64_t bits = bits_of_run(entry, bits_of);
  constexpr std::uint64_t all = (std::uint64_t{2} << (G - 1)) - 1;
  if (first >= 0 && first <= cols - G) {
    const Lanes<G> loaded = load(&x[first], Run<G>{});
    return bits == all ? loaded : clear(~bits, loaded);
  }
  return clear(~bits, at_an_end<G>(x, cols, first, bits));
}
