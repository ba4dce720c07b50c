#pragma once
#include "runs.h"

/// The value of `function` for each integer of a run; 0 in unused lanes.
template <int G, class Function>
INLINE Lanes<G> each_value(Run<G> run, Function function) {
  alignas(64) Value all[G];
  for (int lane = 0; lane < G; ++lane) {
    ONE_BY_ONE;  // g++ 12 makes wrong sums of this loop over dictionaries of floats
    all[lane] = lane < run.lanes ? function(run[lane]) : Value(0);
  }
  Lanes<G> lanes;
  std::memcpy(&lanes, all, sizeof lanes);
  return lanes;
}

/// Values side by side in memory. Arrays have slack behind them: all lanes are read, unused ones
/// too.
template <int G>
INLINE Lanes<G> load(const Value* values, Run<G> run) {
  Lanes<G> loaded;
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) {
    loaded.part[p] = *reinterpret_cast<const typename Lanes<G>::Vector*>(values + run.first +
                                                                         p * Lanes<G>::width);
  }
  return loaded;
}

/// Narrower values side by side in memory, each of which is widened.
template <int G, class Narrow>
INLINE Lanes<G> load_narrow(const Narrow* values, Run<G> run) {
  using R = Lanes<G>;
  typedef Narrow Several __attribute__((vector_size(R::width * sizeof(Narrow))));
  Lanes<G> loaded;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    Several several;
    std::memcpy(&several, values + run.first + p * R::width, sizeof several);
    loaded.part[p] = __builtin_convertvector(several, typename R::Vector);
  }
  return loaded;
}

/// The first `count` lanes, and 0 in all others: their contents are gone, Inf and NaN too.
template <int G>
INLINE Lanes<G> keep(int count, const Lanes<G>& lanes) {
  using R = Lanes<G>;
  typename R::Mask index;
  for (int l = 0; l < R::width; ++l) index[l] = l;
  Lanes<G> kept;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    const typename R::Mask lane = index + p * R::width;
    kept.part[p] = lane < typename R::Mask{} + count ? lanes.part[p] : typename R::Vector{};
  }
  return kept;
}

/// 0 in the lanes with their bit set, and the others as they are.
template <int G>
INLINE Lanes<G> clear(std::uint64_t bits, const Lanes<G>& lanes) {
  using R = Lanes<G>;
  constexpr int together = 8 * sizeof(typename R::Integer);  // lanes with bits in one Integer
  Lanes<G> kept;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    const int first = p * R::width, before = first / together * together;
    typename R::Mask own;
    for (int l = 0; l < R::width; ++l) own[l] = typename R::Integer(1ULL << (first - before + l));
    const typename R::Mask all = typename R::Mask{} + typename R::Integer(bits >> before);
    kept.part[p] = (all & own) != 0 ? typename R::Vector{} : lanes.part[p];
  }
  return kept;
}
