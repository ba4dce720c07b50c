#include "generator/text/computed_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace alphasparse {

namespace {

std::string call_text(const std::string& array, const std::string& index) {
  return fmt::format("{}({})", array, index);
}

std::string quoted(const Expression& entry) { return fmt::format("\"{}\"", fact_text(entry)); }

std::string computed_table(const std::vector<const ComputedArray*>& arrays,
                           const std::vector<EntryRule>& rules) {
  std::string text = fmt::format("constexpr std::array<ComputedFacts, {}> computed = {{{{\n",
                                 arrays.size() + rules.size());
  for (const ComputedArray* const array : arrays) {
    text += fmt::format("    // {}; {}\n    {{\"{}\", {},\n     {}, {}, {}, {}}},\n", array->doc,
                        array->how, array->name, quoted(array->entry), array->count,
                        array->range->least, array->range->most, array->range->ascending);
  }
  if (!rules.empty()) text += "    // No arrays, but what the arrays give beside each other.\n";
  for (const EntryRule& rule : rules) {
    text += fmt::format("    {{\"{}\", {},\n     {}, {}, {}, false}},\n", rule.name,
                        quoted(rule.entry), rule.count, rule.least, rule.most);
  }
  return text + "}};\n\n";
}

std::string span_table(const std::vector<SpanRule>& rules) {
  std::string text =
      fmt::format("constexpr std::array<SpanFacts, {}> spans = {{{{\n", rules.size());
  for (const SpanRule& rule : rules) {
    text += fmt::format("    {{\"{}\", {}, {}, {},\n     {}, {}, {}}},\n", rule.name,
                        quoted(rule.first), quoted(rule.base), quoted(rule.entry), rule.parents,
                        rule.least, rule.most);
  }
  return text + "}};\n\n";
}

std::string bit_table(const std::vector<BitRule>& rules) {
  std::string text =
      fmt::format("constexpr std::array<BitFacts, {}> set_bits = {{{{\n", rules.size());
  for (const BitRule& rule : rules) {
    text += fmt::format("    {{\"{}\", \"{}\", {},\n     {}, {}, {}, {}, {}}},\n", rule.name,
                        rule.words, quoted(rule.base), rule.items, rule.bits, rule.period,
                        rule.least, rule.most);
  }
  return text + "}};\n\n";
}

std::string step_table(const std::vector<StepWalk>& walks) {
  std::string text =
      fmt::format("constexpr std::array<StepFacts, {}> steps = {{{{\n", walks.size());
  for (const StepWalk& walk : walks) {
    text +=
        fmt::format("    {{\"{}\", {}, {}, {}, {},\n     {}, {}, {}, {}}},\n", walk.name,
                    quoted(walk.first), quoted(walk.step), quoted(walk.first_thread),
                    quoted(walk.first_position), walk.parents, walk.stride, walk.least, walk.most);
  }
  return text + "}};\n\n";
}

/// Whether a number comes from the file at all.
bool reads_stored(const Kernel& kernel, const Expression& entry) {
  bool reads = false;
  for_each(entry, [&](const Expression& part) {
    if (part.array.empty() || reads) return;
    const auto computed =
        std::find_if(kernel.computed.begin(), kernel.computed.end(),
                     [&](const ComputedArray& array) { return array.name == part.array; });
    reads = computed == kernel.computed.end() || reads_stored(kernel, computed->entry);
  });
  return reads;
}

}  // namespace

std::vector<const ComputedArray*> arrays_to_check(const Kernel& kernel) {
  std::set<std::string> wanted;
  const std::function<void(const Expression&)> want = [&](const Expression& entry) {
    for_each(entry, [&](const Expression& part) {
      if (part.array.empty() || !wanted.insert(part.array).second) return;
      for (const ComputedArray& array : kernel.computed) {
        if (array.name == part.array) want(array.entry);
      }
    });
  };
  for (const ComputedArray& array : kernel.computed) {
    bool reads = false;
    for_each(array.entry, [&](const Expression& part) { reads |= !part.array.empty(); });
    if (!array.range || !reads) continue;
    wanted.insert(array.name);
    want(array.entry);
  }
  for (const StepWalk& walk : kernel.steps) {
    for (const Expression* const entry :
         {&walk.first, &walk.step, &walk.first_thread, &walk.first_position}) {
      want(*entry);
    }
  }
  Rules rules = rules_to_check(kernel);
  for_each_expression(rules, [&](const Expression& entry) { want(entry); });
  std::vector<const ComputedArray*> arrays;
  for (const ComputedArray& array : kernel.computed) {
    if (array.range && wanted.count(array.name) > 0) arrays.push_back(&array);
  }
  return arrays;
}

bool computes_arrays(const Kernel& kernel) {
  const Rules rules = rules_to_check(kernel);
  return !arrays_to_check(kernel).empty() || !kernel.steps.empty() || !rules.entries.empty() ||
         !rules.spans.empty() || !rules.bits.empty();
}

std::string fact_text(const Expression& entry) { return text_of(entry, call_text); }

Rules rules_to_check(const Kernel& kernel) {
  Rules rules = kernel.rules;
  std::erase_if(rules.entries,
                [&](const EntryRule& rule) { return !reads_stored(kernel, rule.entry); });
  std::erase_if(rules.spans, [&](const SpanRule& rule) {
    return !reads_stored(kernel, rule.first) && !reads_stored(kernel, rule.base) &&
           !reads_stored(kernel, rule.entry);
  });
  return rules;
}

std::string computed_tables(const Kernel& kernel) {
  const std::vector<const ComputedArray*> arrays = arrays_to_check(kernel);
  const Rules rules = rules_to_check(kernel);
  std::string text;
  if (!arrays.empty() || !rules.entries.empty()) text += computed_table(arrays, rules.entries);
  if (!kernel.steps.empty()) text += step_table(kernel.steps);
  if (!rules.spans.empty()) text += span_table(rules.spans);
  if (!rules.bits.empty()) text += bit_table(rules.bits);
  return text;
}

std::string computed_initialisers(const Kernel& kernel) {
  const Rules rules = rules_to_check(kernel);
  const bool any_computed = !arrays_to_check(kernel).empty() || !rules.entries.empty();
  std::string text, left_out;
  for (const auto& [is_there, table] : {std::pair(any_computed, "computed"),
                                        {!kernel.steps.empty(), "steps"},
                                        {!rules.spans.empty(), "spans"},
                                        {!rules.bits.empty(), "set_bits"}}) {
    if (!is_there) {
      left_out += ", nullptr, 0";
      continue;
    }
    text += fmt::format("{0},\n    {1}.data(), {1}.size()", left_out, table);
    left_out.clear();
  }
  return text;
}

}  // namespace alphasparse
