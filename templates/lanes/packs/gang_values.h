// gang_values: the stored numbers of a gang of lanes, and parts of its Values.
#pragma once
#include "runs.h"

/// Products of a number and a Value of each lane, which are not in registers yet.
template <class Numbers, class Values>
struct Products {
  Numbers numbers;
  Values values;

  INLINE Value operator[](int lane) const { return numbers[lane] * values[lane]; }
  template <int G>
  INLINE operator Lanes<G>() const {
    Lanes<G> all;
#pragma GCC unroll 64
    for (int lane = 0; lane < G; ++lane) all.part[lane] = (*this)[lane];
    return all;
  }
};

template <int G, class Values>
INLINE Products<Reals<G>, Values> operator*(const Reals<G>& numbers, const Values& values) {
  return {numbers, values};
}

template <class T, int G, class Values>
INLINE Products<Stored<T, G>, Values> operator*(const Stored<T, G>& numbers, const Values& values) {
  return {numbers, values};
}

template <int G, class Numbers, class Values>
INLINE Lanes<G>& operator+=(Lanes<G>& sums, const Products<Numbers, Values>& products) {
#pragma GCC unroll 64
  for (int lane = 0; lane < G; ++lane) sums.part[lane] += products[lane];
  return sums;
}

/// The number of `function` for each integer of a run; 0 in unused lanes.
template <int G, class Function>
INLINE Reals<G> each_value(Run<G> run, Function function) {
  Reals<G> all;
  for (int lane = 0; lane < G; ++lane) {
    ONE_BY_ONE;
    all.of[lane] = lane < run.lanes ? function(run[lane]) : Real(0);
  }
  return all;
}

/// The first `count` lanes, and nothing of all others.
template <class Values>
struct First {
  int count;
  Values values;
};

template <class Values>
INLINE First<Values> keep(int count, const Values& values) {
  return {count, values};
}

template <int G, class Values>
INLINE Lanes<G>& operator+=(Lanes<G>& sums, const First<Values>& first) {
  for (int lane = 0; lane < G; ++lane)
    if (lane < first.count) sums.part[lane] += first.values[lane];
  return sums;
}

/// 0 in the lanes with their bit set, and the others as they are.
template <int G>
INLINE Lanes<G> clear(std::uint64_t bits, const Lanes<G>& lanes) {
  Lanes<G> kept;
  for (int lane = 0; lane < G; ++lane)
    kept.part[lane] = bits >> lane & 1 ? Value(0) : lanes.part[lane];
  return kept;
}
