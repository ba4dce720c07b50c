// part: the units that tasks share out between them, one part of an SpMV behind the other.
#pragma once
#include "prelude.h"

struct Format;

/// Units [0, units) of a part; a task runs its own share of them.
struct Part {
  void (*run)(const Format& f, Input x, Output out, int first_unit, int end_unit);
  int units;
  /// The weight of all units before this one together, ascending; null: all weigh the same.
  std::int64_t (*weight)(const Format& f, int unit);
  /// The row of y that a unit begins with; null: no two units write the same row.
  int (*first_row)(const Format& f, int unit);
  bool alone = false;  ///< all of it is one task: too little to wait for a team
};
