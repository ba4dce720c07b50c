#pragma once
#include "bits_of_run.h"

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
  return each_value(Run<G>{}, [&](int l) { return bits >> l & 1 ? x[first + l] : Value(0); });
}
