#include "generator/arrays/stored_values.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/ranges.h"
#include "base/result.h"

namespace alphasparse {

namespace {

/// How far neighbours of the canonical order lie apart, as the first two do; 1 where not far, or
/// where they are none.
std::int64_t find_stride(const std::vector<std::int32_t>& source) {
  constexpr std::int64_t far = 4096;
  const auto first = std::find_if(source.begin(), source.end(), [](auto nz) { return nz >= 0; });
  if (first == source.end()) return 1;
  const auto second = std::find(first + 1, source.end(), *first + 1);
  return second == source.end() || second - first < far ? 1 : second - first;
}

/// Calls visit(i) for each i of a range. Where neighbours of the canonical order lie far apart, a
/// line of memory of both orders at a time.
template <class Visit>
void for_strided(std::int64_t first, std::int64_t end, std::int64_t stride, const Visit& visit) {
  constexpr std::int64_t line = 16;
  if (stride == 1) {
    for (std::int64_t i = first; i < end; ++i) visit(i);
    return;
  }
  for (std::int64_t begin = first; begin < std::min(end, first + stride); begin += line) {
    const std::int64_t width = std::min(line, first + stride - begin);
    for (std::int64_t row = begin; row < end; row += stride)
      for (std::int64_t i = row; i < std::min(row + width, end); ++i) visit(i);
  }
}

/// Entries that are made at once. Where neighbours of the canonical order lie far apart they are
/// more, for these share lines of memory within a part alone.
std::int64_t part_entries(const Array& array, std::int64_t stride) {
  constexpr std::int64_t least = 1 << 21, strides = 8;
  return std::max(least, std::min(strides * stride, array.count / 4));
}

/// The entries [first, end) as `Stored`, each made by entry_of(source), and 0 for a pad.
template <class Stored, class EntryOf>
std::vector<std::byte> gather(const std::vector<std::int32_t>& source, std::int64_t begin,
                              std::int64_t end, std::int64_t stride, const EntryOf& entry_of) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(end - begin) * sizeof(Stored));
  for_ranges(end - begin, [&](std::int64_t first, std::int64_t last) {
    for_strided(first, last, stride, [&](std::int64_t i) {
      const std::int32_t nz = source[begin + i];
      const Stored entry = nz < 0 ? Stored(0) : entry_of(nz);
      std::memcpy(bytes.data() + i * sizeof entry, &entry, sizeof entry);
    });
  });
  return bytes;
}

/// Calls take(make(first, end)) for parts that together are all stored entries.
template <class Make>
void for_parts(const Array& array, std::int64_t stride, const Make& make, const TakeBytes& take) {
  const std::int64_t entries = part_entries(array, stride);
  const auto count = static_cast<std::int64_t>(array.value_source.size());
  for (std::int64_t first = 0; first < count; first += entries)
    take(make(first, std::min(count, first + entries)));
}

/// Calls work with the function that gives a value as the array stores it.
template <class Work>
auto with_stored(const Array& array, const CanonicalValues& canonical, const Work& work) {
  if (is_complex(array.type)) {
    if (array.rounded) return work([&](std::int32_t nz) { return narrowed(canonical[nz]); });
    if (array.type == ElementType::c128)
      return work([&](std::int32_t nz) { return canonical[nz]; });
    return work([&](std::int32_t nz) { return Complex<float>(canonical[nz]); });
  }
  if (array.rounded) return work([&](std::int32_t nz) { return narrowed(canonical.real(nz)); });
  return with_element(array.type, [&](auto zero) {
    return work([&](std::int32_t nz) { return decltype(zero)(canonical.real(nz)); });
  });
}

/// The bytes of the entries [first, end) of an array that is still to be made.
std::vector<std::byte> made_bytes(const Array& array, std::int64_t first, std::int64_t end,
                                  std::int64_t stride) {
  return with_stored(array, array.made_from, [&](auto entry_of) {
    using Stored = decltype(entry_of(0));
    return gather<Stored>(array.value_source, first, end, stride, entry_of);
  });
}

/// Calls visit(number) for the real numbers that a value consists of, until it returns false.
/// Tells whether it never did.
template <class Visit>
bool for_parts_of(const CanonicalValues& canonical, std::int32_t nz, const Visit& visit) {
  if (!canonical.is_complex()) return visit(canonical.real(nz));
  const Number value = canonical[nz];
  return visit(value.re) && visit(value.im);
}

double widened(double value) { return narrowed(value); }

/// The largest relative error of a number that becomes a float.
double rounding_error(const CanonicalValues& canonical, const std::vector<std::int32_t>& source) {
  double largest = 0;
  for (const std::int32_t nz : source) {
    if (nz < 0) continue;
    for_parts_of(canonical, nz, [&](double value) {
      if (value != 0) largest = std::max(largest, std::abs((widened(value) - value) / value));
      return true;
    });
  }
  return largest;
}

constexpr std::size_t values_most = 1 << 16;

/// The bits by which values are told apart, as the device holds them.
using RealBits = std::uint64_t;
using ComplexBits = std::array<std::uint64_t, 2>;

template <class Bits>
Bits value_bits(Dtype dtype, const CanonicalValues& canonical, std::int32_t nz) {
  const NumberBytes made = number_bytes(dtype, canonical[nz]);
  Bits bits;
  std::memcpy(&bits, made.data(), sizeof bits);
  return bits;
}

struct BitsHash {
  // Tables of a hash that may throw keep it beside each value.
  std::size_t operator()(RealBits bits) const noexcept { return std::hash<RealBits>()(bits); }
  std::size_t operator()(const ComplexBits& bits) const noexcept {
    return XXH3_64bits(&bits, sizeof bits);
  }
};

/// Codes of distinct values, in the order of their first appearance.
template <class Bits>
struct ValueCodes {
  std::unordered_map<Bits, std::int32_t, BitsHash> code_of;  ///< by the value's bits
  std::vector<std::int32_t> source;                          ///< canonical index of each
  bool has_pads = false;

  std::int32_t code(const Bits& bits, std::int32_t nz) {
    const auto next = static_cast<std::int32_t>(source.size());
    const auto [at, is_new] = code_of.try_emplace(bits, next);
    if (is_new) source.push_back(nz);
    return at->second;
  }
  bool are_too_many() const { return source.size() > values_most; }
};

/// The beginning first: where nearly all values differ it shows there. The rest is coded in ranges.
/// Each range knows the values of the beginning, and finds others by itself. Then these others get
/// their codes in the order of the ranges, which is that of their first appearance.
template <class Bits>
class DictionaryMaker {
 public:
  DictionaryMaker(const CanonicalValues& canonical, const std::vector<std::int32_t>& value_source,
                  Dtype dtype)
      : canonical_(canonical), value_source_(value_source), dtype_(dtype) {}

  std::optional<Dictionary> make() {
    const auto count = static_cast<std::int64_t>(value_source_.size());
    const std::int64_t beginning = std::min(count, range_least);
    code_.resize(static_cast<std::size_t>(beginning));
    codes_.code_of.reserve(std::min(value_source_.size(), values_most));
    if (!code_range(0, beginning, codes_)) return std::nullopt;
    code_.resize(value_source_.size());
    if (beginning < count && !code_after(beginning)) return std::nullopt;
    if (codes_.has_pads) {
      const auto pad = static_cast<std::int32_t>(codes_.source.size());
      for_ranges(count, [&](std::int64_t first, std::int64_t end) {
        std::replace(code_.begin() + first, code_.begin() + end, -1, pad);
      });
      codes_.source.push_back(-1);
    }
    return Dictionary{std::move(codes_.source), std::move(code_)};
  }

 private:
  struct Part {
    std::int64_t first, end;
    ValueCodes<Bits> codes;
    bool fits;
  };

  /// False where too many values differ.
  bool code_range(std::int64_t first, std::int64_t end, ValueCodes<Bits>& codes) {
    for (std::int64_t i = first; i < end; ++i) {
      const std::int32_t nz = value_source_[i];
      codes.has_pads = codes.has_pads || nz < 0;
      code_[i] = nz < 0 ? -1 : codes.code(value_bits<Bits>(dtype_, canonical_, nz), nz);
      if (codes.are_too_many()) return false;
    }
    return true;
  }

  bool code_after(std::int64_t beginning) {
    const std::size_t known = codes_.source.size();
    const auto code_part = [&](std::int64_t first, std::int64_t end) {
      Part part{beginning + first, beginning + end, codes_, true};
      part.fits = code_range(part.first, part.end, part.codes);
      return part;
    };
    const auto count = static_cast<std::int64_t>(value_source_.size());
    for (const Part& part : parts_of_ranges(count - beginning, code_part)) {
      if (!part.fits || !join(part, known)) return false;
    }
    return true;
  }

  /// Gives their codes to the values that a part has found beside those `known` before.
  bool join(const Part& part, std::size_t known) {
    codes_.has_pads = codes_.has_pads || part.codes.has_pads;
    std::vector<std::int32_t> code_of_found;
    bool differs = false;
    for (std::size_t found = known; found < part.codes.source.size(); ++found) {
      const std::int32_t nz = part.codes.source[found];
      code_of_found.push_back(codes_.code(value_bits<Bits>(dtype_, canonical_, nz), nz));
      differs = differs || code_of_found.back() != static_cast<std::int32_t>(found);
    }
    if (codes_.are_too_many()) return false;
    if (!differs) return true;
    const auto least = static_cast<std::int32_t>(known);
    for_ranges(part.end - part.first, [&](std::int64_t first, std::int64_t end) {
      for (std::int64_t i = part.first + first; i < part.first + end; ++i) {
        if (code_[i] >= least) code_[i] = code_of_found[code_[i] - least];
      }
    });
    return true;
  }

  const CanonicalValues canonical_;
  const std::vector<std::int32_t>& value_source_;
  const Dtype dtype_;
  ValueCodes<Bits> codes_;
  std::vector<std::int32_t> code_;
};

}  // namespace

float narrowed(double value) {
  const auto nearest = static_cast<float>(value);
  return std::abs(nearest) < std::numeric_limits<float>::min()
             ? std::copysign(0.F, static_cast<float>(value))
             : nearest;
}

Complex<float> narrowed(const Number& value) { return {narrowed(value.re), narrowed(value.im)}; }

bool is_single(double value) {
  return std::bit_cast<std::uint64_t>(widened(value)) == std::bit_cast<std::uint64_t>(value);
}

bool stores_single(ValueChoice choice, Dtype dtype, const CanonicalValues& canonical,
                   const std::vector<std::int32_t>& source) {
  const NumberType& type = number_type(canonical.stored_as(dtype));
  if (choice == ValueChoice::full || type.narrow == type.element || source.empty()) return false;
  return choice == ValueChoice::rounded ||
         std::all_of(source.begin(), source.end(), [&](std::int32_t nz) {
           return nz < 0 || for_parts_of(canonical, nz, is_single);
         });
}

Array value_array(ValueChoice choice, Dtype dtype, const CanonicalValues& canonical,
                  std::vector<std::int32_t> source) {
  Array array = unmade_value_array(choice, dtype, canonical, std::move(source));
  make_bytes(array);
  return array;
}

Array unmade_value_array(ValueChoice choice, Dtype dtype, const CanonicalValues& canonical,
                         std::vector<std::int32_t> source) {
  Array array;
  array.name = "value";
  array.count = static_cast<std::int64_t>(source.size());
  const bool single = stores_single(choice, dtype, canonical, source);
  const NumberType& type = number_type(canonical.stored_as(dtype));
  array.type = single ? type.narrow : type.element;
  array.rounded = single && choice == ValueChoice::rounded;
  if (array.rounded) array.value_error = rounding_error(canonical, source);
  const bool has_pads =
      std::any_of(source.begin(), source.end(), [](std::int32_t nz) { return nz < 0; });
  array.doc = "value of each stored entry";
  array.doc += has_pads ? "; 0 for a pad" : "";
  array.doc += precision_note(array, dtype);
  array.value_source = std::move(source);
  array.made_from = canonical;
  return array;
}

void make_bytes(Array& array) {
  if (!array.made_from) return;
  array.bytes = made_bytes(array, 0, array.count, find_stride(array.value_source));
  array.made_from = {};
}

void make_bytes(Kernel& kernel) {
  for (Array& array : kernel.arrays) make_bytes(array);
}

void for_bytes(const Array& array, const TakeBytes& take) {
  if (!array.made_from) return take(array.bytes);
  const std::int64_t stride = find_stride(array.value_source);
  const auto make = [&](std::int64_t first, std::int64_t end) {
    return made_bytes(array, first, end, stride);
  };
  CHECK(array.count == static_cast<std::int64_t>(array.value_source.size()));
  for_parts(array, stride, make, take);
}

void for_bytes_of_integers(const Array& array, std::span<const std::byte> integers,
                           const TakeBytes& take) {
  const auto integer_at = [&](std::int64_t index) {
    return static_cast<std::int8_t>(integers[index]);
  };
  with_element(array.type, [&](auto zero) {
    using Stored = decltype(zero);
    const auto integer = [&](std::int64_t nz) {
      if constexpr (is_complex_number<Stored>) {
        using Part = decltype(zero.re);
        return Stored(Part(integer_at(2 * nz)), Part(integer_at(2 * nz + 1)));
      } else {
        return static_cast<Stored>(integer_at(nz));
      }
    };
    const auto make = [&](std::int64_t first, std::int64_t end) {
      return gather<Stored>(array.value_source, first, end, 1, integer);
    };
    for_parts(array, 1, make, take);
  });
}

std::string precision_note(const Array& array, Dtype dtype) {
  if (!array.is_single(dtype)) return "";
  return array.rounded ? "; rounded to float" : "; exact as float";
}

std::optional<Dictionary> make_dictionary(const CanonicalValues& canonical,
                                          const std::vector<std::int32_t>& value_source,
                                          Dtype dtype) {
  const Dtype stored = canonical.stored_as(dtype);
  return canonical.is_complex()
             ? DictionaryMaker<ComplexBits>(canonical, value_source, stored).make()
             : DictionaryMaker<RealBits>(canonical, value_source, stored).make();
}

std::optional<Failure> cannot_round(const Matrix& matrix, const std::vector<std::int32_t>& source) {
  const CanonicalValues canonical(matrix);
  const auto fits = [](double value) { return !std::isinf(widened(value)); };
  std::optional<std::int32_t> first;
  for (const std::int32_t nz : source) {
    if (nz >= 0 && (!first || nz < *first) && !for_parts_of(canonical, nz, fits)) first = nz;
  }
  if (!first) return std::nullopt;
  const auto after = std::upper_bound(matrix.row_first.begin(), matrix.row_first.end(), *first);
  double large = 0;
  for_parts_of(canonical, *first, [&](double value) { return fits(large = value); });
  return Failure{
      Status::pruned,
      fmt::format("compact: {} (row {}, column {}, counted from 0) is too large for a float; use "
                  "values=single",
                  large, after - matrix.row_first.begin() - 1, matrix.col[*first])};
}

}  // namespace alphasparse
