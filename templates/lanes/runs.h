#pragma once
#include "gang.h"

/// The integers first, first + 1, ...; the first `lanes` of them are in use.
template <int G>
struct Run {
  int first = 0;
  int lanes = G;

  INLINE int operator[](int lane) const { return first + lane; }
  /// Those below `end` alone.
  INLINE Run below(int end) const { return {first, end - first < lanes ? end - first : lanes}; }
  friend INLINE Run operator+(int base, Run run) { return {base + run.first, run.lanes}; }
};

/// One integer of each lane; the first `lanes` of them are in use.
template <int G>
struct Ints {
  static constexpr int gang = G;
  alignas(64) int of[G];
  int lanes = G;

  INLINE int operator[](int lane) const { return of[lane]; }
};

/// Integers that lie side by side in memory: one of each lane, not loaded yet.
template <class T, int G>
struct Near {
  static constexpr int gang = G;
  const T* first;
  int lanes;

  INLINE int operator[](int lane) const { return first[lane]; }
};

/// The result of `function` for each integer of a run; 0 in unused lanes.
template <int G, class Function>
INLINE Ints<G> each(Run<G> run, Function function) {
  Ints<G> all;
  all.lanes = run.lanes;
  for (int lane = 0; lane < G; ++lane) all.of[lane] = lane < run.lanes ? function(run[lane]) : 0;
  return all;
}
