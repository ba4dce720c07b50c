// asked: integers of the lanes of a gang that no array holds, such as the rows of y that they
// write.
#pragma once
#include "prelude.h"

/// The result of `function` for each integer of a run, at each request.
template <int G, class Function>
struct Asked {
  Run<G> run;
  Function function;
  int lanes;

  INLINE int operator[](int lane) const { return function(run[lane]); }
};

template <int G, class Function>
INLINE Asked<G, Function> asked(Run<G> run, Function function) {
  return {run, function, run.lanes};
}
