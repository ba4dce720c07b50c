// rules: the relations that must hold between the arrays of a format, beyond the range of each
// array.
//
// A loader that checks every range may still hold arrays that do not fit each other. A length that
// is right for one thread then reaches behind the array for the last one. Each rule names the
// numbers that a kernel makes of several arrays and the range in which they lie.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/expression.h"

namespace alphasparse {

/// entry(i) lies in [least, most] for every i below count.
struct EntryRule {
  std::string name;  ///< of these numbers, for messages: no array has it
  Expression entry;
  std::int64_t count = 0;
  std::int64_t least = 0, most = 0;
};

/// base(p) + entry(j) lies in [least, most] for every p below parents and every j from first(p) up
/// to first(p + 1).
struct SpanRule {
  std::string name;
  Expression first, base, entry;
  std::int64_t parents = 0;
  std::int64_t least = 0, most = 0;
};

/// For every i below items and k below bits, base(i) + k % period lies in [least, most] if
/// bit i * bits + k of the words is set.
struct BitRule {
  std::string name;
  std::string words;  ///< an array of 32 bits an entry
  Expression base;
  std::int64_t items = 0;
  int bits = 0, period = 0;
  std::int64_t least = 0, most = 0;
};

struct Rules {
  std::vector<EntryRule> entries;
  std::vector<SpanRule> spans;
  std::vector<BitRule> bits;
};

/// Every expression of a rule.
template <class Visit>
void for_each_expression(Rules& rules, Visit visit) {
  for (EntryRule& rule : rules.entries) visit(rule.entry);
  for (SpanRule& rule : rules.spans) {
    visit(rule.first);
    visit(rule.base);
    visit(rule.entry);
  }
  for (BitRule& rule : rules.bits) visit(rule.base);
}

}  // namespace alphasparse
