// run_number: the number of the run that an entry is in. A set bit of `starts` says that a run
// begins with the entry of that index; `first_run` runs begin before index 0.
#pragma once
#include "prelude.h"

INLINE int run_number(unsigned starts, int first_run, int index) {
  return first_run + __builtin_popcount(starts << (31 - index)) - 1;
}
