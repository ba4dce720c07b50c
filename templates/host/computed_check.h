// computed_check: every number that the kernel computes from the arrays of its file lies in its
// range, so that no launch reads outside an array, x or y. Formulas are functions of an index.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "templates/host/checked.h"
#include "templates/host/entry_checks.h"

namespace alphasparse::host {

/// The entries of an array lie in [least, most] and, where they ascend, none is below the one
/// before.
template <class Formula>
void check_entries(const Computed<Formula>& array, std::int64_t least, std::int64_t most,
                   bool ascending) {
  std::int64_t i = 0, entry = least, before = least;
  try {
    for (; i < array.count; ++i, before = entry) {
      entry = Checked(array.formula(i)).number;
      if (entry < least || entry > most || (ascending && entry < before)) break;
    }
  } catch (const BadFile& error) {
    throw BadFile(entry_text(array.name, i) + ": " + error.what());
  }
  if (i == array.count) return;
  check_range(array.name, i, entry, least, most);
  throw BadFile(entry_text(array.name, i) + " is below the entry before it");
}

/// The numbers formula(0), formula(1), ... up to formula(count - 1) lie in [least, most].
template <class Formula>
void check_numbers(const char* name, std::int64_t count, std::int64_t least, std::int64_t most,
                   Formula formula) {
  check_entries(computed(name, count, formula), least, most, false);
}

/// Columns that threads add up, step by step. The threads of parent i, from first_thread up to that
/// of the next, take turns at the positions from first_position up to that of the next.
struct Steps {
  const char* name;  ///< of the columns
  std::int64_t parents;
  std::int64_t stride;  ///< between two positions of one thread
  std::int64_t least;   ///< columns lie in [least, most]
  std::int64_t most;
};

/// Every sum of a thread's first column and steps is a column.
template <class First, class Step, class FirstThread, class FirstPosition>
void check_steps(const Steps& steps, const First& first, const Step& step,
                 const FirstThread& first_thread, const FirstPosition& first_position) {
  std::vector<std::int64_t> columns;  // that the parent's threads have come to
  for (std::int64_t parent = 0; parent < steps.parents; ++parent) {
    const std::int64_t thread = as_int(first_thread(parent)),
                       threads = as_int(first_thread(parent + 1)) - thread,
                       begin = as_int(first_position(parent)),
                       end = as_int(first_position(parent + 1));
    if (threads > steps.stride) {
      throw BadFile(std::to_string(threads) + " threads take turns at " +
                    std::to_string(steps.stride) + " positions");
    }
    columns.clear();
    for (std::int64_t k = 0; k < threads && begin + k < end; ++k) {
      columns.push_back(as_int(first(thread + k)));
    }
    for (std::int64_t turn = begin; turn < end && !columns.empty(); turn += steps.stride) {
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::int64_t at = turn + static_cast<std::int64_t>(k);
        if (at >= end) break;
        columns[k] += as_int(step(at));
        check_range(steps.name, at, columns[k], steps.least, steps.most);
      }
    }
  }
}

/// base(p) + entry(j) lies in [least, most] for every p below parents and every j from first(p) up
/// to first(p + 1).
struct Spans {
  const char* name;  ///< of these numbers
  std::int64_t parents;
  std::int64_t least;
  std::int64_t most;
};

template <class First, class Base, class Entry>
void check_spans(const Spans& spans, const First& first, const Base& base, const Entry& entry) {
  for (std::int64_t parent = 0; parent < spans.parents; ++parent) {
    const std::int64_t begin = as_int(first(parent)), end = as_int(first(parent + 1));
    const std::int64_t offset = begin < end ? as_int(base(parent)) : 0;
    for (std::int64_t j = begin; j < end; ++j) {
      check_range(spans.name, j, offset + as_int(entry(j)), spans.least, spans.most);
    }
  }
}

/// base(i) + k % period lies in [least, most] for every i below items and every k below bits for
/// which bit i * bits + k of the words is set.
struct SetBits {
  const char* name;  ///< of these numbers
  std::int64_t items;
  std::int64_t bits;
  std::int64_t period;
  std::int64_t least;
  std::int64_t most;
};

template <class Words, class Base>
void check_bits(const SetBits& set, const Words& words, const Base& base) {
  for (std::int64_t i = 0; i < set.items; ++i) {
    const std::int64_t first = as_int(base(i));
    if (first >= set.least && first + set.period - 1 <= set.most) continue;
    for (std::int64_t k = 0; k < set.bits; ++k) {
      const std::int64_t bit = i * set.bits + k;
      if ((Checked(words(bit / 32)).number >> bit % 32 & 1) == 0) continue;
      check_range(set.name, bit, first + k % set.period, set.least, set.most);
    }
  }
}

}  // namespace alphasparse::host
