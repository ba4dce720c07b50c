// computed_check: every number that the kernel computes from the arrays of its file lies in its
// range, so that no launch reads outside an array, x or y.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "templates/host/computed.h"
#include "templates/host/computed_facts.h"
#include "templates/host/entry_checks.h"
#include "templates/host/facts.h"
#include "templates/host/lanes.h"
#include "templates/host/loaded_format.h"

namespace alphasparse::host {

/// What the entries of an array have to be.
struct EntryRules {
  std::int64_t least, most;
  bool ascending;  ///< none is below the one before it
};

/// Checks the lanes, of entries i and following; false where one of them breaks a rule.
inline bool obey(const Lanes& entries, const EntryRules& rules, std::int64_t before) {
  if (!entries.within(rules.least, rules.most)) return false;
  return !rules.ascending || (entries.front() >= before && entries.ascend());
}

/// Checks all entries, as many at a time as lanes_of(i, lanes) can tell together; entry_of(i),
/// which is slower, tells what is wrong where it gives up, or where an entry breaks a rule.
template <class LanesOf, class EntryOf>
void check_entries(const std::string& name, std::int64_t count, LanesOf lanes_of, EntryOf entry_of,
                   const EntryRules& rules, int together = Lanes::most) {
  std::int64_t before = rules.least;
  for (std::int64_t first = 0; first < count; first += together) {
    Lanes lanes(static_cast<int>(std::min<std::int64_t>(together, count - first)));
    if (lanes_of(first, lanes) && obey(lanes, rules, before)) {
      before = lanes.last();
      continue;
    }
    for (std::int64_t i = first; i < first + lanes.count; ++i) {
      const std::int64_t entry = entry_of(i);
      check_range(name, i, entry, rules.least, rules.most);
      if (rules.ascending && entry < before) {
        throw BadFile(entry_text(name, i) + " is below the entry before it");
      }
      before = entry;
    }
  }
}

/// The entries of computed arrays lie in their ranges.
inline void check_computed(const FormatFacts& facts, const ComputedArrays& arrays) {
  for (std::size_t k = 0; k < facts.computed_count; ++k) {
    const ComputedFacts& computed = facts.computed[k];
    if (!arrays.reads(facts.array_count + k)) continue;
    const auto entry_of = [&](std::int64_t i) {
      try {
        return arrays.entry(facts.array_count + k, i);
      } catch (const BadFile& error) {
        throw BadFile(entry_text(computed.name, i) + ": " + error.what());
      }
    };
    const auto lanes_of = [&](std::int64_t i, Lanes& lanes) {
      return arrays.entries(facts.array_count + k, i, lanes);
    };
    check_entries(computed.name, computed.count, lanes_of, entry_of,
                  {computed.least, computed.most, computed.ascending},
                  arrays.together(facts.array_count + k));
  }
}

/// The values of a term at places that mostly ascend, computed together as far as they can be.
class TermReader {
 public:
  TermReader(const ComputedArrays& arrays, const char* text)
      : arrays_(arrays), term_(arrays.term(text)), lanes_(arrays.together(term_)) {}

  std::int64_t at(std::int64_t i) {
    if (i < first_ || i >= first_ + lanes_.count) fetch(i);
    return is_told_ ? lanes_.numbers[i - first_] : arrays_.value(term_, i);
  }

 private:
  void fetch(std::int64_t i) {
    first_ = i < 0 ? i : i - i % lanes_.count;
    is_told_ = arrays_.values(term_, first_, lanes_);
    if (is_told_) lanes_.spread_out();
  }

  const ComputedArrays& arrays_;
  Term term_;
  Lanes lanes_;
  std::int64_t first_ = -Lanes::most;
  bool is_told_ = false;
};

/// Every sum of a thread's first column and steps is a column.
inline void check_steps(const StepFacts& steps, const ComputedArrays& arrays) {
  TermReader first(arrays, steps.first), step(arrays, steps.step),
      first_thread(arrays, steps.first_thread), first_position(arrays, steps.first_position);
  std::vector<std::int64_t> columns;  // that the parent's threads have come to
  for (std::int64_t parent = 0; parent < steps.parents; ++parent) {
    const std::int64_t thread = first_thread.at(parent),
                       threads = first_thread.at(parent + 1) - thread,
                       begin = first_position.at(parent), end = first_position.at(parent + 1);
    if (threads > steps.stride)
      throw BadFile(std::to_string(threads) + " threads take turns at " +
                    std::to_string(steps.stride) + " positions");
    columns.clear();
    for (std::int64_t k = 0; k < threads && begin + k < end; ++k) {
      columns.push_back(first.at(thread + k));
    }
    for (std::int64_t turn = begin; turn < end && !columns.empty(); turn += steps.stride) {
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::int64_t at = turn + static_cast<std::int64_t>(k);
        if (at >= end) break;
        columns[k] += step.at(at);
        check_range(steps.name, at, columns[k], steps.least, steps.most);
      }
    }
  }
}

inline void check_span(const SpanFacts& span, const ComputedArrays& arrays) {
  TermReader first(arrays, span.first), base(arrays, span.base), entry(arrays, span.entry);
  for (std::int64_t parent = 0; parent < span.parents; ++parent) {
    const std::int64_t begin = first.at(parent), end = first.at(parent + 1);
    const std::int64_t offset = begin < end ? base.at(parent) : 0;
    for (std::int64_t j = begin; j < end; ++j) {
      check_range(span.name, j, offset + entry.at(j), span.least, span.most);
    }
  }
}

inline void check_bits(const BitFacts& facts, const ComputedArrays& arrays) {
  TermReader base(arrays, facts.base);
  const std::size_t words = arrays.find(facts.words);
  for (std::int64_t i = 0; i < facts.items; ++i) {
    const std::int64_t least = base.at(i);
    if (least >= facts.least && least + facts.period - 1 <= facts.most) continue;
    for (std::int64_t k = 0; k < facts.bits; ++k) {
      const std::int64_t bit = i * facts.bits + k;
      if ((arrays.entry(words, bit / 32) >> bit % 32 & 1) == 0) continue;
      check_range(facts.name, bit, least + k % facts.period, facts.least, facts.most);
    }
  }
}

/// What the kernel computes from the file's arrays is in range too.
inline void check_computed(const FormatFacts& facts, const LoadedFormat& format) {
  std::vector<const unsigned char*> data;
  for (const LoadedArray& array : format.arrays) data.push_back(array.bytes.data());
  const ComputedArrays arrays(facts, data);
  check_computed(facts, arrays);
  for (std::size_t i = 0; i < facts.step_count; ++i) check_steps(facts.steps[i], arrays);
  for (std::size_t i = 0; i < facts.span_count; ++i) check_span(facts.spans[i], arrays);
  for (std::size_t i = 0; i < facts.set_bit_count; ++i) check_bits(facts.set_bits[i], arrays);
}

}  // namespace alphasparse::host
