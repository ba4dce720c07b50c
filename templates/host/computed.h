// computed: the arrays that a kernel computes from those of its file, computed on the host, so that
// nothing is launched that would read outside an array, of x or of the format.
#pragma once
#include <bitset>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "templates/host/facts.h"
#include "templates/host/safetensors.h"
#include "templates/host/terms.h"

namespace alphasparse::host {

inline std::string entry_text(const std::string& name, std::int64_t i) {
  return name + "[" + std::to_string(i) + "]";
}

inline void check_range(const std::string& name, std::int64_t i, std::int64_t entry,
                        std::int64_t least, std::int64_t most) {
  if (entry >= least && entry <= most) return;
  throw BadFile(entry_text(name, i) + " is " + std::to_string(entry) + ", outside " +
                std::to_string(least) + " to " + std::to_string(most));
}

/// Every entry lies in [least, most], and none is below the one before it where they ascend.
template <class EntryOf>
void check_entries(const std::string& name, std::int64_t count, EntryOf entry_of,
                   std::int64_t least, std::int64_t most, bool ascending) {
  std::int64_t before = least;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t entry = entry_of(i);
    check_range(name, i, entry, least, most);
    if (ascending && entry < before) {
      throw BadFile(entry_text(name, i) + " is below the entry before it");
    }
    before = entry;
  }
}

/// The integer arrays of a kernel by name, stored or computed. Entries are those that the kernel's
/// arithmetic gives; BadFile is thrown where that would leave an array or the range of an int.
class ComputedArrays {
 public:
  /// `data` points at the entries of each array of the facts; all must outlive this.
  ComputedArrays(const FormatFacts& facts, const std::vector<const unsigned char*>& data) {
    for (std::size_t i = 0; i < facts.array_count; ++i) {
      const ArrayFacts& array = facts.arrays[i];
      arrays_.push_back({array.name, array.count, array.type, data[i], {}});
    }
    for (std::size_t i = 0; i < facts.computed_count; ++i) {
      arrays_.push_back({facts.computed[i].name, facts.computed[i].count, "", nullptr, {}});
    }
    for (std::size_t i = 0; i < facts.computed_count; ++i) {
      arrays_[facts.array_count + i].entry = term(facts.computed[i].entry);
    }
  }

  std::size_t find(std::string_view name) const {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (arrays_[i].name == name) return i;
    }
    throw BadFile("an entry is computed from " + std::string(name) + ", which is no array");
  }

  Term term(const char* text) const {
    const ArrayFinder finder = [this](std::string_view name) { return find(name); };
    return TermParser(text, finder).parse();
  }

  /// Whether entries come from the file at all.
  bool reads(std::size_t array) const { return arrays_[array].entry.reads(); }

  std::int64_t entry(std::size_t array, std::int64_t i) const {
    const Source& source = arrays_[array];
    if (i < 0 || i >= source.count) {
      throw BadFile(source.name + " has no entry " + std::to_string(i) + ", only " +
                    std::to_string(source.count));
    }
    if (!source.data) return value(source.entry, i);
    switch (source.type[1]) {
      case '8':
        return source.data[i];
      case '1':
        return stored<std::uint16_t>(source, i);
      default:
        return source.type[0] == 'U' ? stored<std::uint32_t>(source, i)
                                     : stored<std::int32_t>(source, i);
    }
  }

  /// A value that the kernel holds in an int.
  std::int64_t value(const Term& term, std::int64_t i) const {
    const std::int64_t number = number_of(term, i);
    if (number < std::numeric_limits<std::int32_t>::min() ||
        number > std::numeric_limits<std::int32_t>::max()) {
      throw BadFile(std::to_string(number) + " is no int");
    }
    return number;
  }

 private:
  using Kind = Term::Kind;

  struct Source {
    std::string name;
    std::int64_t count;
    std::string_view type;      // stored only
    const unsigned char* data;  // null: computed
    Term entry;
  };

  template <class T>
  static std::int64_t stored(const Source& source, std::int64_t i) {
    T entry;
    std::memcpy(&entry, source.data + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return static_cast<std::int64_t>(entry);
  }

  std::int64_t number_of(const Term& term, std::int64_t i) const {
    if (term.kind == Kind::number) return term.number;
    if (term.kind == Kind::index) return i;
    if (term.kind == Kind::entry) return entry(term.array, value(term.parts[0], i));
    if (term.kind == Kind::run) return run(term, i);
    const std::int64_t a = value(term.parts[0], i), b = value(term.parts[1], i);
    switch (term.kind) {
      case Kind::sum:
        return a + b;
      case Kind::difference:
        return a - b;
      case Kind::product:
        return a * b;
      case Kind::least:
        return a < b ? a : b;
      case Kind::below:
        return value(term.parts[a < b ? 2 : 3], i);
      case Kind::equal:
        return value(term.parts[a == b ? 2 : 3], i);
      case Kind::bits:
        return bits(term.array, a, b);
      default:
        if (a < 0 || b <= 0) throw BadFile("a division of " + std::to_string(a));
        return term.kind == Kind::quotient ? a / b : a % b;
    }
  }

  std::int64_t bits(std::size_t words, std::int64_t head, std::int64_t place) const {
    if (head < 0 || place < 0) throw BadFile("a head of " + std::to_string(head));
    const std::int64_t width = head % 32, bit = place * width, first = head / 32 + bit / 32;
    if (width == 0) return 0;
    const std::int64_t low = entry(words, first), high = entry(words, first + 1);
    const std::uint64_t both = static_cast<std::uint32_t>(low) | static_cast<std::uint64_t>(high)
                                                                     << 32;
    return static_cast<std::int64_t>(both >> bit % 32 & 0xffffffffu >> (32 - width));
  }

  /// The word of starts is the one number that is no int.
  std::int64_t run(const Term& term, std::int64_t i) const {
    const auto starts = static_cast<std::uint32_t>(number_of(term.parts[0], i));
    const std::int64_t first = value(term.parts[1], i), place = value(term.parts[2], i);
    if (place < 0 || place > 31) throw BadFile("bit " + std::to_string(place) + " of a word");
    return first +
           static_cast<std::int64_t>(
               std::bitset<32>(starts & 0xffffffffu >> (31 - place)).count()) -
           1;
  }

  std::vector<Source> arrays_;
};

/// The entries of computed arrays lie in their ranges.
inline void check_computed(const FormatFacts& facts, const ComputedArrays& arrays) {
  for (std::size_t k = 0; k < facts.computed_count; ++k) {
    const ComputedFacts& computed = facts.computed[k];
    if (!arrays.reads(facts.array_count + k)) continue;
    std::int64_t at = 0;
    const auto entry_of = [&](std::int64_t i) {
      at = i;
      try {
        return arrays.entry(facts.array_count + k, i);
      } catch (const BadFile& error) {
        throw BadFile(entry_text(computed.name, i) + ": " + error.what());
      }
    };
    check_entries(computed.name, computed.count, entry_of, computed.least, computed.most,
                  computed.ascending);
  }
}

/// Every sum of a thread's first column and steps is a column.
inline void check_steps(const StepFacts& steps, const ComputedArrays& arrays) {
  const Term first = arrays.term(steps.first), step = arrays.term(steps.step),
             first_thread = arrays.term(steps.first_thread),
             first_position = arrays.term(steps.first_position);
  for (std::int64_t parent = 0; parent < steps.parents; ++parent) {
    const std::int64_t thread = arrays.value(first_thread, parent),
                       threads = arrays.value(first_thread, parent + 1) - thread,
                       begin = arrays.value(first_position, parent),
                       end = arrays.value(first_position, parent + 1);
    if (threads > steps.stride)
      throw BadFile(std::to_string(threads) + " threads take turns at " +
                    std::to_string(steps.stride) + " positions");
    for (std::int64_t k = 0; k < threads && begin + k < end; ++k) {
      std::int64_t column = arrays.value(first, thread + k);
      for (std::int64_t at = begin + k; at < end; at += steps.stride) {
        column += arrays.value(step, at);
        check_range(steps.name, at, column, steps.least, steps.most);
      }
    }
  }
}

}  // namespace alphasparse::host
