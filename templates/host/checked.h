// checked: the integers of a kernel's formulas, worked out on the host. A number that a kernel's
// int cannot hold is refused, and so is an index outside of its array.
#pragma once
#include <bitset>
#include <cstdint>
#include <cstring>
#include <string>

#include "templates/host/loaded_format.h"
#include "templates/host/safetensors.h"

namespace alphasparse::host {

/// A number of a formula: an int, or a word of 32 bits as the file has it, which may be divided and
/// counted but not used as an int.
struct Checked {
  Checked(std::int64_t any) : number(any) {}
  std::int64_t number;
};

[[noreturn]] inline void refuse_number(std::int64_t number) {
  throw BadFile(std::to_string(number) + " is no int");
}

[[noreturn]] inline void refuse_index(const char* name, std::int64_t i, std::int64_t count) {
  throw BadFile(std::string(name) + " has no entry " + std::to_string(i) + ", only " +
                std::to_string(count));
}

/// The number as the kernel's int; formulas have no literal for -2^31.
inline std::int64_t as_int(Checked a) {
  if (a.number < -INT32_MAX || a.number > INT32_MAX) refuse_number(a.number);
  return a.number;
}

// Sums and products of two ints fit 64 bits. No kernel uses all of these.
[[maybe_unused]] inline Checked operator+(Checked a, Checked b) {
  return as_int(as_int(a) + as_int(b));
}
[[maybe_unused]] inline Checked operator-(Checked a, Checked b) {
  return as_int(as_int(a) - as_int(b));
}
[[maybe_unused]] inline Checked operator*(Checked a, Checked b) {
  return as_int(as_int(a) * as_int(b));
}
[[maybe_unused]] inline bool operator<(Checked a, Checked b) { return as_int(a) < as_int(b); }
[[maybe_unused]] inline bool operator==(Checked a, Checked b) { return as_int(a) == as_int(b); }
[[maybe_unused]] inline Checked min(Checked a, Checked b) { return b < a ? b : a; }

/// Words are divided without a sign; an int may not be negative, so that both give the same.
inline void check_division(Checked a, Checked b) {
  if (a.number < 0 || a.number > UINT32_MAX || b.number <= 0 || b.number > UINT32_MAX) {
    throw BadFile("a division of " + std::to_string(a.number) + " by " + std::to_string(b.number));
  }
}

[[maybe_unused]] inline Checked operator/(Checked a, Checked b) {
  check_division(a, b);
  return static_cast<std::uint32_t>(a.number) / static_cast<std::uint32_t>(b.number);
}

[[maybe_unused]] inline Checked operator%(Checked a, Checked b) {
  check_division(a, b);
  return static_cast<std::uint32_t>(a.number) % static_cast<std::uint32_t>(b.number);
}

/// An array of the file with integers of type T as entries.
template <class T>
struct Stored {
  Stored(const char* its_name, const LoadedArray& array)
      : name(its_name),
        count(static_cast<std::int64_t>(array.bytes.size() / sizeof(T))),
        bytes(array.bytes.data()) {}

  Checked operator()(Checked i) const {
    if (i.number < 0 || i.number >= count) refuse_index(name, i.number, count);
    T entry;
    std::memcpy(&entry, bytes + i.number * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return static_cast<std::int64_t>(entry);
  }

  const char* name;
  std::int64_t count;
  const unsigned char* bytes;
};

/// An array that the kernel computes: `formula` gives entry i.
template <class Formula>
struct Computed {
  Checked operator()(Checked i) const {
    if (i.number < 0 || i.number >= count) refuse_index(name, i.number, count);
    return formula(i.number);
  }

  const char* name;
  std::int64_t count;
  Formula formula;
};

template <class Formula>
Computed<Formula> computed(const char* name, std::int64_t count, Formula formula) {
  return {name, count, formula};
}

/// 32 bits from one on, which is counted modulo 2^32. Both words are read in every case.
template <class Words>
std::uint32_t window(const Words& words, std::int64_t bit) {
  const auto from = static_cast<std::uint32_t>(bit);
  const std::int64_t low = words(from / 32).number, high = words(from / 32 + 1).number;
  const std::uint64_t both = static_cast<std::uint32_t>(low) | static_cast<std::uint64_t>(high)
                                                                   << 32;
  return static_cast<std::uint32_t>(both >> from % 32);
}

/// A field of the width that its chunk's head gives; see the kernel's function of this name.
template <class Words>
Checked packed_bits(const Words& words, Checked head, Checked place) {
  const std::int64_t cut = as_int(head) & 31;
  return window(words, head.number + as_int(place) * (cut - 32)) >> cut;
}

/// A field where all have as many bits.
template <class Words>
Checked packed_fields(const Words& words, Checked width, Checked place) {
  if (width.number < 1 || width.number > 31) {
    throw BadFile("a field of " + std::to_string(width.number) + " bits");
  }
  return window(words, as_int(place) * width.number) & ~(~0u << width.number);
}

/// A field of 1, 2 or 4 bytes, as its chunk's head says, or of none: then it is its place.
template <class Words>
Checked packed_bytes(const Words& words, Checked head, Checked place) {
  if (as_int(head) < 0 || as_int(place) < 0) {
    throw BadFile("a head of " + std::to_string(head.number) + " at place " +
                  std::to_string(place.number));
  }
  const std::int64_t size = (1 << head.number % 4) / 2, at = place.number * size;
  if (size == 0) return place;
  const auto word = static_cast<std::uint32_t>(words(head.number / 4 + at / 4).number);
  return word >> at % 4 * 8 & 0xffffffffu >> (32 - 8 * size);
}

/// `first` and the bits of a word up to bit `place`, less 1.
[[maybe_unused]] inline Checked run_number(Checked word, Checked first, Checked place) {
  if (place.number < 0 || place.number > 31) {
    throw BadFile("bit " + std::to_string(place.number) + " of a word");
  }
  const std::bitset<32> before(static_cast<std::uint32_t>(word.number) << (31 - place.number));
  return as_int(first) + static_cast<std::int64_t>(before.count()) - 1;
}

}  // namespace alphasparse::host
