// compact_facts: the passes that make the arrays of a format smaller.
#pragma once
#include "generator/arrays/coding.h"
#include "generator/arrays/stored_values.h"

namespace alphasparse {

/// Which passes make arrays smaller.
struct CompactFacts {
  CodingChoice columns = CodingChoice::full;
  CodingChoice structure = CodingChoice::full;  ///< offsets, rows and the like
  bool models = false;  ///< every kind of model may stand for an array, not only lines
  int exceptions = 0;   ///< ...with so many entries that are none of it
  ValueChoice values = ValueChoice::full;
  bool any() const {
    return columns != CodingChoice::full || structure != CodingChoice::full || models ||
           values != ValueChoice::full;
  }
};

}  // namespace alphasparse
