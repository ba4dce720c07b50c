// chunks: arithmetic on a run of entries that lies within one chunk: its chunk, the places in it,
// and the numbers that are added to them.
#pragma once
#include "gather.h"
#include "ints.h"

template <int G>
INLINE int operator/(Run<G> run, int chunk) {
  return run.first / chunk;
}

template <int G>
INLINE Run<G> operator%(Run<G> run, int chunk) {
  return {run.first % chunk, run.lanes};
}

template <int G>
INLINE Run<G> operator+(Run<G> run, int number) {
  return number + run;
}

template <int G>
INLINE Run<G> operator-(Run<G> run, int number) {
  return -number + run;
}

template <int G>
INLINE Ints<G> operator+(const Ints<G>& ints, int number) {
  return changed(ints, [=](int one) { return one + number; });
}

template <int G>
INLINE Ints<G> operator+(int number, const Ints<G>& ints) {
  return ints + number;
}

template <int G>
INLINE Ints<G> operator+(Run<G> run, const Ints<G>& ints) {
  Ints<G> all;
  all.lanes = ints.lanes;
  for (int lane = 0; lane < G; ++lane) all.of[lane] = run[lane] + ints[lane];
  return all;
}

/// Neighbours in memory, each added to base + STEP * lane.
template <int STEP, class T, int G>
struct Above {
  static constexpr int gang = G;
  int base;
  Near<T, G> offset;
  int lanes = offset.lanes;

  INLINE int operator[](int lane) const { return base + STEP * lane + offset[lane]; }
};

template <class T, int G>
INLINE Above<0, T, G> operator+(int base, Near<T, G> offset) {
  return {base, offset};
}

template <class T, int G>
INLINE Above<0, T, G> operator+(Near<T, G> offset, int base) {
  return {base, offset};
}

template <class T, int G>
INLINE Above<0, T, G> operator-(Near<T, G> offset, int base) {
  return {-base, offset};
}

template <class T, int G>
INLINE Above<1, T, G> operator+(Run<G> line, Near<T, G> offset) {
  return {line.first, offset};
}

template <class X, int STEP, class T, int G>
INLINE Lanes<G> gather(X x, const Above<STEP, T, G>& columns) {
  return gather_all<G, STEP>(x + columns.base, columns.offset.first);
}
