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

#include "templates/host/computed_facts.h"
#include "templates/host/entry_checks.h"
#include "templates/host/facts.h"
#include "templates/host/lanes.h"
#include "templates/host/safetensors.h"
#include "templates/host/terms.h"

namespace alphasparse::host {

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

  /// Entries i and following at once. False where one of them may be wrong, or they cannot be told
  /// together: entry() knows.
  bool entries(std::size_t array, std::int64_t i, Lanes& lanes) const {
    const Source& source = arrays_[array];
    if (i < 0 || i + lanes.count > source.count) return false;
    if (!source.data) return values(source.entry, i, lanes);
    lanes.set(i, 1);
    return read(source, lanes);
  }

  /// How many of a term's numbers are told together at best: up to where the next chunk of what it
  /// comes from begins.
  int together(const Term& term) const {
    const std::int64_t chunk = chunk_of(term), most = Lanes::most;
    return static_cast<int>(chunk >= 16 && chunk < most ? chunk : most);
  }
  int together(std::size_t array) const { return together(arrays_[array].entry); }

  /// value() of `i` and following.
  bool values(const Term& term, std::int64_t i, Lanes& lanes) const {
    return numbers(term, i, lanes) && lanes.are_ints();
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
    if (term.kind == Kind::quotient || term.kind == Kind::remainder) return divided(term, i);
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
      case Kind::fields:
        return fields(term.array, a, b);
      default:
        return bytes(term.array, a, b);
    }
  }

  /// Dividend and divisor may be words of 32 bits.
  std::int64_t divided(const Term& term, std::int64_t i) const {
    const std::int64_t a = number_of(term.parts[0], i), b = number_of(term.parts[1], i);
    const bool are_words = a >> 32 == 0 && b >> 32 == 0;
    if (!are_words || b == 0) throw BadFile("a division of " + std::to_string(a));
    return term.kind == Kind::quotient ? a / b : a % b;
  }

  /// number_of() of `i` and following; false as entries() is.
  bool numbers(const Term& term, std::int64_t i, Lanes& result) const {
    if (term.kind == Kind::number || term.kind == Kind::index) {
      const bool is_index = term.kind == Kind::index;
      result.set(is_index ? i : term.number, is_index);
      return true;
    }
    if (term.kind == Kind::run) return run(term, i, result);
    Lanes a(result.count);
    const bool divides = term.kind == Kind::quotient || term.kind == Kind::remainder;
    if (divides ? !numbers(term.parts[0], i, a) : !values(term.parts[0], i, a)) return false;
    if (term.kind == Kind::entry) return entries_at(term.array, a, result);
    Lanes b(result.count);
    if (divides ? !numbers(term.parts[1], i, b) : !values(term.parts[1], i, b)) return false;
    switch (term.kind) {
      case Kind::sum:
        add(a, b, result);
        return true;
      case Kind::difference:
        subtract(a, b, result);
        return true;
      case Kind::product:
        multiply(a, b, result);
        return true;
      case Kind::least:
        take_least(a, b, result);
        return true;
      case Kind::bits:
        return bits(term.array, a, b, result);
      case Kind::fields:
        return fields(term.array, a, b, result);
      case Kind::bytes:
        return bytes(term.array, a, b, result);
      case Kind::quotient:
      case Kind::remainder:
        return divide(a, b, term.kind == Kind::remainder, result);
      default:  // comparisons: which part is computed may differ from lane to lane
        return choose(term, i, a, b, result);
    }
  }

  bool choose(const Term& term, std::int64_t i, const Lanes& a, const Lanes& b,
              Lanes& result) const {
    if (term.kind == Kind::below) {
      if (a.greatest() < b.least()) return values(term.parts[2], i, result);
      if (a.least() >= b.greatest()) return values(term.parts[3], i, result);
    }
    if (term.kind == Kind::equal && a.alike() && b.alike()) {
      return values(term.parts[a.first == b.first ? 2 : 3], i, result);
    }
    return false;
  }

  /// The entries that `places` name.
  bool entries_at(std::size_t array, Lanes& places, Lanes& result) const {
    const Source& source = arrays_[array];
    if (places.least() < 0 || places.greatest() >= source.count) return false;
    if (places.alike()) {
      Lanes one(1);  // not entry(), which throws
      if (!entries(array, places.first, one)) return false;
      result.set(one.front(), 0);
      return true;
    }
    if (!source.data) {
      const bool are_neighbours = !places.spread && places.step == 1;
      return are_neighbours && values(source.entry, places.first, result);
    }
    places.spread_out();
    std::copy(places.numbers, places.numbers + places.count, result.numbers);
    result.spread = true;
    return read(source, result);
  }

  /// Puts the entries of a stored array in the place of their indices, which lie in it.
  static bool read(const Source& source, Lanes& lanes) {
    if (source.type == "U8") return read<std::uint8_t>(source, lanes);
    if (source.type == "U16") return read<std::uint16_t>(source, lanes);
    if (source.type == "U32") return read<std::uint32_t>(source, lanes);
    return source.type == "I32" && read<std::int32_t>(source, lanes);
  }

  template <class T>
  static bool read(const Source& source, Lanes& lanes) {
    lanes.spread_out();
    for (int k = 0; k < lanes.count; ++k) lanes.numbers[k] = stored<T>(source, lanes.numbers[k]);
    return true;
  }

  /// Fields of one width in words of 32 bits.
  bool fields(std::size_t words, const Lanes& width, Lanes& place, Lanes& result) const {
    if (!width.alike() || width.first < 1 || width.first > 31) return false;
    const std::uint32_t mask = ~(~0u << width.first);
    return windows(words, 0, width.first, place, result,
                   [=](std::uint32_t window) { return window & mask; });
  }

  /// Fields by one head.
  bool bits(std::size_t words, const Lanes& head, Lanes& place, Lanes& result) const {
    if (!head.alike()) return false;
    const std::int64_t cut = head.first & 31;
    return windows(words, head.first, cut - 32, place, result,
                   [=](std::uint32_t window) { return window >> cut; });
  }

  /// What `of` makes of the 32 bits from each bit first + place * step on.
  template <class Of>
  bool windows(std::size_t words, std::int64_t first, std::int64_t step, Lanes& place,
               Lanes& result, Of of) const {
    const Source& source = arrays_[words];
    if (!source.data || source.type != "U32") return false;
    place.spread_out();
    result.spread = true;
    for (int k = 0; k < result.count; ++k) {
      const auto bit = static_cast<std::uint32_t>(first + place.numbers[k] * step);
      if (std::int64_t{bit / 32} + 1 >= source.count) return false;
      const std::uint64_t low = stored_word(source, bit / 32);
      const std::uint64_t high = stored_word(source, bit / 32 + 1);
      result.numbers[k] = of(static_cast<std::uint32_t>((low | high << 32) >> bit % 32));
    }
    return true;
  }

  /// Fields of one number of bytes, or of none: then each is its place.
  bool bytes(std::size_t words, const Lanes& head, Lanes& place, Lanes& result) const {
    const Source& source = arrays_[words];
    if (!head.alike() || head.first < 0 || place.least() < 0) return false;
    const std::int64_t size = byte_size(head.first), first = head.first / 4;
    if (size > 0 && (!source.data || source.type != "U32")) return false;
    if (size > 0 && first + place.greatest() * size / 4 >= source.count) return false;
    place.spread_out();
    result.spread = true;
    for (int k = 0; k < result.count; ++k) {
      const std::int64_t at = place.numbers[k];
      result.numbers[k] =
          size == 0 ? at : byte_field(stored_word(source, first + at * size / 4), at, size);
    }
    return true;
  }

  static std::int64_t byte_size(std::int64_t head) { return (1 << head % 4) / 2; }

  static std::int64_t byte_field(std::uint64_t word, std::int64_t place, std::int64_t size) {
    return static_cast<std::int64_t>(word >> place * size % 4 * 8 & 0xffffffffu >> (32 - 8 * size));
  }

  static std::uint64_t stored_word(const Source& source, std::int64_t i) {
    return static_cast<std::uint64_t>(stored<std::uint32_t>(source, i));
  }

  bool run(const Term& term, std::int64_t i, Lanes& result) const {
    Lanes starts(result.count), first(result.count), place(result.count);
    if (!numbers(term.parts[0], i, starts) || !values(term.parts[1], i, first) ||
        !values(term.parts[2], i, place) || !place.within(0, 31) || !starts.alike() ||
        !first.alike()) {
      return false;
    }
    place.spread_out();
    result.spread = true;
    const auto word = static_cast<std::uint32_t>(starts.first);
    for (int k = 0; k < result.count; ++k) {
      result.numbers[k] = run_number(word, first.first, place.numbers[k]);
    }
    return true;
  }

  static std::int64_t run_number(std::uint32_t starts, std::int64_t first, std::int64_t place) {
    const std::bitset<32> before(starts << (31 - place));
    return first + static_cast<std::int64_t>(before.count()) - 1;
  }

  /// The smallest number that an index is divided by; 0 where there is none.
  std::int64_t chunk_of(const Term& term) const {
    const bool divides = term.kind == Kind::quotient && term.parts[0].kind == Kind::index &&
                         term.parts[1].kind == Kind::number;
    if (divides) return term.parts[1].number;
    std::int64_t chunk = 0;
    const auto consider = [&](std::int64_t other) {
      if (other != 0 && (chunk == 0 || other < chunk)) chunk = other;
    };
    for (const Term& part : term.parts) consider(chunk_of(part));
    const bool is_follower = term.kind == Kind::entry && term.parts[0].kind == Kind::index;
    if (is_follower) consider(chunk_of(arrays_[term.array].entry));
    return chunk;
  }

  std::int64_t bits(std::size_t words, std::int64_t head, std::int64_t place) const {
    const std::int64_t cut = head & 31;
    return window(words, head + place * (cut - 32)) >> cut;
  }

  std::int64_t fields(std::size_t words, std::int64_t width, std::int64_t place) const {
    if (width < 1 || width > 31) throw BadFile("a field of " + std::to_string(width) + " bits");
    return window(words, place * width) & ~(~0u << width);
  }

  /// 32 bits from one on, which is counted modulo 2^32. Both words are read, whatever is needed.
  std::uint32_t window(std::size_t words, std::int64_t bit) const {
    const auto from = static_cast<std::uint32_t>(bit);
    const std::int64_t low = entry(words, from / 32);
    const std::int64_t high = entry(words, std::int64_t{from / 32} + 1);
    const std::uint64_t both = static_cast<std::uint32_t>(low) | static_cast<std::uint64_t>(high)
                                                                     << 32;
    return static_cast<std::uint32_t>(both >> from % 32);
  }

  std::int64_t bytes(std::size_t words, std::int64_t head, std::int64_t place) const {
    if (head < 0 || place < 0) throw BadFile("a head of " + std::to_string(head));
    const std::int64_t size = byte_size(head);
    if (size == 0) return place;
    const std::int64_t word = entry(words, head / 4 + place * size / 4);
    return byte_field(static_cast<std::uint32_t>(word), place, size);
  }

  /// The word of starts is the one number that is no int.
  std::int64_t run(const Term& term, std::int64_t i) const {
    const auto starts = static_cast<std::uint32_t>(number_of(term.parts[0], i));
    const std::int64_t first = value(term.parts[1], i), place = value(term.parts[2], i);
    if (place < 0 || place > 31) throw BadFile("bit " + std::to_string(place) + " of a word");
    return run_number(starts, first, place);
  }

  std::vector<Source> arrays_;
};

}  // namespace alphasparse::host
