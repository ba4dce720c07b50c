#include "runtime/formats/computed_values.h"

#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include "templates/host/computed_check.h"

namespace alphasparse {

namespace {

/// Reads entries of arrays by name, whether they are stored or computed.
class Reader {
 public:
  Reader(const ComputedNumbers& numbers, const host::FormatFacts& facts,
         const host::LoadedFormat& format) {
    for (std::size_t i = 0; i < facts.array_count; ++i) {
      stored_[facts.arrays[i].name] = {&facts.arrays[i], format.arrays[i].bytes.data()};
    }
    for (const ComputedArray& array : numbers.arrays) computed_[array.name] = &array;
  }
  Reader(const Reader&) = delete;  // formulas point at it
  Reader& operator=(const Reader&) = delete;

  std::optional<std::int64_t> entry(const std::string& name, std::int64_t i) const {
    if (const auto found = stored_.find(name); found != stored_.end()) {
      const auto& [array, bytes] = found->second;
      return i >= 0 && i < array->count ? stored(array->type, bytes, i) : std::nullopt;
    }
    const auto found = computed_.find(name);
    if (found == computed_.end()) {
      throw host::BadFile("an entry is computed from " + name + ", which is no array");
    }
    const ComputedArray& array = *found->second;
    return i >= 0 && i < array.count ? value(array.entry, i, read_) : std::nullopt;
  }

  /// The expression as a function of the index.
  auto formula(const Expression& expression) const {
    return [this, &expression](std::int64_t i) {
      if (const auto number = value(expression, i, read_)) return host::Checked(*number);
      throw host::BadFile("at index " + std::to_string(i) + " " + code_of(expression).text() +
                          " leaves its arrays, or is no int");
    };
  }

 private:
  struct Stored {
    const host::ArrayFacts* array;
    const unsigned char* bytes;
  };

  static std::optional<std::int64_t> stored(std::string_view type, const unsigned char* bytes,
                                            std::int64_t i) {
    if (type == "U8") return bytes[i];
    if (type == "U16") return at<std::uint16_t>(bytes, i);
    if (type == "U32") return at<std::uint32_t>(bytes, i);
    if (type == "I32") return at<std::int32_t>(bytes, i);
    return std::nullopt;  // values are no integers
  }

  template <class T>
  static std::int64_t at(const unsigned char* bytes, std::int64_t i) {
    T entry;
    std::memcpy(&entry, bytes + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return std::int64_t{entry};
  }

  std::map<std::string, Stored> stored_;
  std::map<std::string, const ComputedArray*> computed_;
  EntryReader read_ = [this](const std::string& name, std::int64_t i) { return entry(name, i); };
};

bool reads(const Expression& entry) {
  bool reads = false;
  for_each(entry, [&](const Expression& part) { reads |= !part.array.empty(); });
  return reads;
}

void check_rules(const Rules& rules, const Reader& reader) {
  for (const EntryRule& rule : rules.entries) {
    host::check_entries(host::computed(rule.name.c_str(), rule.count, reader.formula(rule.entry)),
                        rule.least, rule.most, false);
  }
  for (const SpanRule& rule : rules.spans) {
    host::check_spans({rule.name.c_str(), rule.parents, rule.least, rule.most},
                      reader.formula(rule.first), reader.formula(rule.base),
                      reader.formula(rule.entry));
  }
  for (const BitRule& rule : rules.bits) {
    const auto words = [&](std::int64_t i) {
      const auto word = reader.entry(rule.words, i);
      if (!word) throw host::BadFile(rule.words + " has no entry " + std::to_string(i));
      return *word;
    };
    host::check_bits({rule.name.c_str(), rule.items, rule.bits, rule.period, rule.least, rule.most},
                     words, reader.formula(rule.base));
  }
}

}  // namespace

void check_computed(const ComputedNumbers& numbers, const host::FormatFacts& facts,
                    const host::LoadedFormat& format) {
  const Reader reader(numbers, facts, format);
  for (const ComputedArray& array : numbers.arrays) {
    if (!reads(array.entry)) continue;
    host::check_entries(
        host::computed(array.name.c_str(), array.count, reader.formula(array.entry)),
        array.range->least, array.range->most, array.range->ascending);
  }
  for (const StepWalk& walk : numbers.steps) {
    host::check_steps({walk.name.c_str(), walk.parents, walk.stride, walk.least, walk.most},
                      reader.formula(walk.first), reader.formula(walk.step),
                      reader.formula(walk.first_thread), reader.formula(walk.first_position));
  }
  check_rules(numbers.rules, reader);
}

}  // namespace alphasparse
