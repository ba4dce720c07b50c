#include "generator/computed_facts.h"

#include <fmt/format.h>

#include <functional>
#include <set>

namespace alphasparse {

namespace {

std::string call_text(const std::string& array, const std::string& index) {
  return fmt::format("{}({})", array, index);
}

std::string quoted(const Expression& entry) {
  return fmt::format("\"{}\"", text_of(entry, call_text));
}

std::string computed_table(const std::vector<const ComputedArray*>& arrays) {
  std::string text =
      fmt::format("constexpr std::array<ComputedFacts, {}> computed = {{{{\n", arrays.size());
  for (const ComputedArray* const array : arrays) {
    text += fmt::format("    // {}; {}\n    {{\"{}\", {},\n     {}, {}, {}, {}}},\n", array->doc,
                        array->how, array->name, quoted(array->entry), array->count,
                        array->range->least, array->range->most, array->range->ascending);
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
  std::vector<const ComputedArray*> arrays;
  for (const ComputedArray& array : kernel.computed) {
    if (array.range && wanted.count(array.name) > 0) arrays.push_back(&array);
  }
  return arrays;
}

std::string computed_tables(const Kernel& kernel) {
  const std::vector<const ComputedArray*> arrays = arrays_to_check(kernel);
  return (arrays.empty() ? "" : computed_table(arrays)) +
         (kernel.steps.empty() ? "" : step_table(kernel.steps));
}

std::string computed_initialisers(const Kernel& kernel) {
  const std::string arrays =
      arrays_to_check(kernel).empty() ? "" : ",\n    computed.data(), computed.size()";
  if (kernel.steps.empty()) return arrays;
  return (arrays.empty() ? ", nullptr, 0" : arrays) + ", steps.data(), steps.size()";
}

}  // namespace alphasparse
