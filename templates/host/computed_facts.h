// computed_facts: the facts about numbers that the kernel computes from the arrays of its file.
#pragma once
#include <cstdint>

namespace alphasparse::host {

/// An array that the kernel computes: from arrays of the file, or for such a one from its index. Or
/// numbers that the arrays give beside each other, which no kernel computes so.
struct ComputedFacts {
  const char* name;
  const char* entry;   ///< entry i, as in the kernel (terms.h)
  std::int64_t count;  ///< of its entries
  std::int64_t least;  ///< they lie in [least, most]
  std::int64_t most;
  bool ascending;  ///< and never decrease
};

/// Columns that threads add up, step by step. The threads of parent i, from first_thread up to that
/// of the next, take turns at the positions from first_position up to that of the next. All four
/// are text like ComputedFacts::entry.
struct StepFacts {
  const char* name;   ///< of the columns
  const char* first;  ///< the column that the steps of thread i begin with
  const char* step;   ///< of position i
  const char* first_thread;
  const char* first_position;
  std::int64_t parents;
  std::int64_t stride;  ///< between two positions of one thread
  std::int64_t least;   ///< columns lie in [least, most]
  std::int64_t most;
};

/// base(p) + entry(j) lies in [least, most] for every p below parents and every j from first(p) up
/// to first(p + 1). All three are text like ComputedFacts::entry.
struct SpanFacts {
  const char* name;  ///< of these numbers
  const char* first;
  const char* base;
  const char* entry;
  std::int64_t parents;
  std::int64_t least;
  std::int64_t most;
};

/// base(i) + k % period lies in [least, most] for every i below items and every k below bits for
/// which bit i * bits + k of the words is set.
struct BitFacts {
  const char* name;   ///< of these numbers
  const char* words;  ///< a U32 array
  const char* base;   ///< text like ComputedFacts::entry
  std::int64_t items;
  std::int64_t bits;
  std::int64_t period;
  std::int64_t least;
  std::int64_t most;
};

}  // namespace alphasparse::host
