// head_tail: the partial of a thread. Its terms may begin and end inside rows that neighbours
// share.
#pragma once
#include "prelude.h"

/// head belongs to the segment `first` that was open when the thread began, tail to the segment
/// `last` that is open when it ends. Where no row starts inside the thread, first == last and
/// tail is 0.
struct HeadTail {
  Value head, tail;
  int first, last;
};

/// The head and the tail of each lane of a gang. Bit l of `begins`: a row begins inside lane l;
/// where none does, all is in the tail, and head and last are unset.
template <int G>
struct HeadTails {
  alignas(64) Value head[G];
  alignas(64) Value tail[G];
  alignas(64) int last[G];
  int first;  // of lane 0
  std::uint64_t begins;
};
