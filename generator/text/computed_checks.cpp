#include "generator/text/computed_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/result.h"
#include "base/wrapped.h"

namespace alphasparse {

namespace {

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

bool reads_stored(const Kernel& kernel, const StepWalk& walk) {
  return reads_stored(kernel, walk.first) || reads_stored(kernel, walk.step) ||
         reads_stored(kernel, walk.first_thread) || reads_stored(kernel, walk.first_position);
}

/// A name of an array as one word: branches put theirs before it, with a dot.
std::string word_of(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

/// The text of check_computed, put together line by line.
class CheckWriter {
 public:
  explicit CheckWriter(const Kernel& kernel) : kernel_(kernel) {}

  std::string text() {
    std::string checks;
    for (const ComputedArray* const array : arrays_to_check(kernel_)) {
      if (!reads_stored(kernel_, array->entry)) continue;
      declare(array->name);
      checks += fmt::format("  check_entries({}, {}, {}, {});\n", word_of(array->name),
                            array->range->least, array->range->most, array->range->ascending);
    }
    for (const StepWalk& walk : kernel_.steps) {
      if (!reads_stored(kernel_, walk)) continue;
      checks += call(fmt::format("check_steps({{\"{}\", {}, {}, {}, {}}}", walk.name, walk.parents,
                                 walk.stride, walk.least, walk.most),
                     {&walk.first, &walk.step, &walk.first_thread, &walk.first_position});
    }
    return declarations_ + checks + rules_text();
  }

 private:
  std::string rules_text() {
    const Rules rules = rules_to_check(kernel_);
    std::string text;
    if (!rules.entries.empty()) text = "  // The kernel relies on these relations of entries.\n";
    for (const EntryRule& rule : rules.entries) {
      text += call(fmt::format("check_numbers(\"{}\", {}, {}, {}", rule.name, rule.count,
                               rule.least, rule.most),
                   {&rule.entry});
    }
    for (const SpanRule& rule : rules.spans) {
      text += call(fmt::format("check_spans({{\"{}\", {}, {}, {}}}", rule.name, rule.parents,
                               rule.least, rule.most),
                   {&rule.first, &rule.base, &rule.entry});
    }
    for (const BitRule& rule : rules.bits) {
      declare(rule.words);
      text +=
          call(fmt::format("check_bits({{\"{}\", {}, {}, {}, {}, {}}}, {}_", rule.name, rule.items,
                           rule.bits, rule.period, rule.least, rule.most, word_of(rule.words)),
               {&rule.base});
    }
    return text;
  }

  /// A call with formulas as its last arguments; `text` has the others. It breaks where
  /// clang-format would break it.
  std::string call(const std::string& text, const std::vector<const Expression*>& entries) {
    std::vector<Formula> formulas;
    std::size_t size = 2 + text.size() + 2;
    for (const Expression* const entry : entries) {
      formulas.push_back(formula(*entry));
      size += 2 + formulas.back().line().size();
    }
    if (size <= columns_max && formulas.size() == 1)
      return fmt::format("  {}, {});\n", text, formulas.front().line());
    if (2 + text.size() + 2 + formulas.front().head.size() <= columns_max && formulas.size() == 1)
      return fmt::format("  {}, {}\n{}  }});\n", text, formulas.front().head,
                         wrapped(2, formulas.front().body));
    const std::size_t arguments = text.find('(') + 1;
    std::string lines =
        fmt::format("  {}\n      {}", text.substr(0, arguments), text.substr(arguments));
    for (const Formula& one : formulas) lines += ",\n" + one.at(3);
    return lines + ");\n";
  }

  /// A function of an index as text: its first words and its statement.
  struct Formula {
    std::string head, body;

    std::string line() const { return fmt::format("{} {} }}", head, body); }

    /// From its depth on, without an end of the last line.
    std::string at(int depth) const {
      const std::string blanks(static_cast<std::size_t>(depth) * 2, ' ');
      if (blanks.size() + line().size() < columns_max) return blanks + line();
      return fmt::format("{}{}\n{}{}}}", blanks, head, wrapped(depth + 1, body), blanks);
    }
  };

  /// The arrays that it reads are declared.
  Formula formula(const Expression& entry) {
    Expression local = entry;
    for_each(entry, [&](const Expression& part) {
      if (!part.array.empty()) declare(part.array);
    });
    name_words(local);
    const Code result = code_of(local, [](const std::string& array, const Code& index) {
      return code("{}({})", Code::named(array), index);
    });
    return {fmt::format("[&](Checked{}) {{", result.reads("i") ? " i" : ""),
            fmt::format("return {};", result.text())};
  }

  /// Arrays by their words in the text: a stored one has an underscore, as its pointer in a kernel.
  void name_words(Expression& entry) const {
    if (!entry.array.empty()) {
      const bool is_called = entry.kind == Expression::Kind::entry && !computed(entry.array);
      entry.array = word_of(entry.array) + (is_called ? "_" : "");
    }
    for (Expression& part : entry.parts) name_words(part);
  }

  const ComputedArray* computed(const std::string& name) const {
    for (const ComputedArray& array : kernel_.computed) {
      if (array.name == name) return &array;
    }
    return nullptr;
  }

  /// Declares an array ahead of its readers, and before it those that it reads.
  void declare(const std::string& name) {
    if (!declared_.insert(name).second) return;
    if (const ComputedArray* const array = computed(name)) {
      const std::string text = call(
          fmt::format("const auto {} = computed(\"{}\", {}", word_of(name), name, array->count),
          {&array->entry});
      declarations_ += fmt::format("  // {}; {}\n{}", array->doc, array->how, text);
      return;
    }
    const auto stored = std::find_if(kernel_.arrays.begin(), kernel_.arrays.end(),
                                     [&](const Array& array) { return array.name == name; });
    CHECK(stored != kernel_.arrays.end());
    declarations_ += wrapped(1, fmt::format("const Stored<{}> {}_(\"{}\", format.arrays[{}]);",
                                            stored_type(stored->type), word_of(name), name,
                                            stored - kernel_.arrays.begin()));
  }

  static const char* stored_type(ElementType type) {
    switch (type) {
      case ElementType::u8:
        return "std::uint8_t";
      case ElementType::u16:
        return "std::uint16_t";
      case ElementType::u32:
        return "std::uint32_t";
      default:
        CHECK(type == ElementType::i32);
        return "std::int32_t";
    }
  }

  const Kernel& kernel_;
  std::set<std::string> declared_;
  std::string declarations_;
};

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
  const std::vector<const ComputedArray*> arrays = arrays_to_check(kernel);
  return !rules.entries.empty() || !rules.spans.empty() || !rules.bits.empty() ||
         std::any_of(kernel.steps.begin(), kernel.steps.end(),
                     [&](const StepWalk& walk) { return reads_stored(kernel, walk); }) ||
         std::any_of(arrays.begin(), arrays.end(), [&](const ComputedArray* array) {
           return reads_stored(kernel, array->entry);
         });
}

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

std::string computed_checks(const Kernel& kernel) {
  return fmt::format(
      "/// Checks the numbers that the kernel computes from its arrays, by its own formulas.\n"
      "inline void check_computed(const LoadedFormat& format) {{\n{}}}\n\n",
      CheckWriter(kernel).text());
}

}  // namespace alphasparse
