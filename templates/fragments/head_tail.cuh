// head_tail: the partial of a thread. Its terms may begin and end inside rows that neighbours
// share.
#pragma once
#include "prelude.cuh"

/// head belongs to the segment `first` that was open when the thread began, tail to the segment
/// `last` that is open when it ends. Where no row starts inside the thread, first == last and
/// tail is 0.
struct HeadTail {
  Value head, tail;
  int first, last;
};
