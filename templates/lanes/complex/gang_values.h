#pragma once
#include "runs.h"

/// Neighbours in memory as one register. Real ones are there twice, and narrower ones are widened.
template <int N, class Number, int... K>
INLINE typename Lanes<N>::Vector neighbours(const Number* first, std::integer_sequence<int, K...>) {
  using Vector = typename Lanes<N>::Vector;
  if constexpr (std::is_same_v<Number, Value>) {
    return *reinterpret_cast<const Vector*>(first);
  } else if constexpr (std::is_arithmetic_v<Number>) {
    return Vector{Real(first[K / 2])...};
  } else {
    return Vector{Real(K % 2 ? first[K / 2].im : first[K / 2].re)...};
  }
}

/// Values side by side in memory. Arrays have slack behind them: all lanes are read, unused ones
/// too.
template <int G, class Number>
INLINE LanesOf<G, Number> load(const Number* values, Run<G> run) {
  using R = Lanes<G>;
  LanesOf<G, Number> loaded;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    loaded.part[p] = neighbours<R::width>(values + run.first + p * R::width, typename R::Slots());
  }
  return loaded;
}

template <int G, class Number>
INLINE LanesOf<G, Number> load_narrow(const Number* values, Run<G> run) {
  return load(values, run);
}

/// The value of `function` for each integer of a run; 0 in unused lanes.
template <int G, class Function>
INLINE LanesOf<G, std::invoke_result_t<Function, int>> each_value(Run<G> run, Function function) {
  using Number = std::decay_t<std::invoke_result_t<Function, int>>;
  alignas(64) Number all[G];
  for (int lane = 0; lane < G; ++lane) {
    ONE_BY_ONE;
    all[lane] = lane < run.lanes ? function(run[lane]) : Number(0);
  }
  return load(all, Run<G>{});
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
    for (int l = 0; l < 2 * R::width; ++l)
      own[l] = typename R::Integer(1ULL << (first - before + l / 2));
    const typename R::Mask all = typename R::Mask{} + typename R::Integer(bits >> before);
    kept.part[p] = (all & own) != 0 ? typename R::Vector{} : lanes.part[p];
  }
  return kept;
}

template <int G>
INLINE Lanes<G> clear(std::uint64_t bits, const Product<G>& product) {
  return clear(bits, Lanes<G>(product));
}

/// The first `count` lanes, and 0 in all others: their contents are gone, Inf and NaN too. There
/// are others.
template <int G>
INLINE Lanes<G> keep(int count, const Lanes<G>& lanes) {
  return clear(~std::uint64_t{0} << count, lanes);
}

template <int G>
INLINE Product<G> keep(int count, const Product<G>& product) {
  return {keep(count, product.a), keep(count, product.b)};
}
