// head_tail: the partial of a thread whose terms may begin and end inside rows that neighbours
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

/// The same of each lane of a gang; bit l of `begins`: a row begins inside lane l.
template <int G>
struct HeadTails {
  Value head[G], tail[G];
  int first[G], last[G];
  std::uint64_t begins;
};
