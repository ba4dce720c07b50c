// values: other values for a format: whether it can hold them, and its arrays with them.
#pragma once
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "templates/host/complex_parts.h"
#include "templates/host/facts.h"
#include "templates/host/loaded_format.h"
#include "templates/host/number_bits.h"
#include "templates/host/pair.h"
#include "templates/host/status.h"

namespace alphasparse::host {

#ifndef ALPHASPARSE_STANDALONE
/// The result of visit(0) for a zero of such numbers.
template <class Visit>
auto with_number(const FormatFacts& facts, bool are_complex, const Visit& visit) {
  if (are_complex) return has_doubles(facts) ? visit(Pair<double>(0)) : visit(Pair<float>(0));
  return has_doubles(facts) ? visit(0.0) : visit(0.0F);
}

/// Whether values are complex: those of a real matrix are real, also where x and y are not.
inline bool has_pairs(const FormatFacts& facts) {
  for (std::size_t i = 0; i < facts.array_count; ++i)
    if (is_value(facts.arrays[i]) && facts.arrays[i].type[3] == 'x') return true;
  return false;
}

#endif
/// The result of visit(0) for a zero of the type of values.
template <class Visit>
auto with_number([[maybe_unused]] const FormatFacts& facts, const Visit& visit) {
#ifndef ALPHASPARSE_STANDALONE
  return with_number(facts, has_pairs(facts), visit);
#else
  return visit(MatrixValue(0));
#endif
}

/// The places that the values of a loaded format come from.
struct HeldValues {
  HeldValues(const FormatFacts& kernel, LoadedFormat& loaded) : facts(kernel) {
    for (LoadedArray& array : loaded.arrays) {
      sources.push_back(std::move(array.source));
      codes.push_back(std::move(array.code));
    }
    row_first = std::move(loaded.row_first);
    col = std::move(loaded.col);
  }

  const FormatFacts& facts;
  std::vector<std::vector<std::int32_t>> sources;  ///< of each array; empty but for value arrays
  std::vector<std::vector<std::int32_t>> codes;    ///< of each array; empty but for dictionaries
  std::vector<std::int32_t> row_first, col;        ///< the pattern; only of a mirrored format
};

/// The entries of a value array, pads included, from the values in canonical order.
template <class Stored, class Value>
std::vector<unsigned char> stored_values(const std::vector<std::int32_t>& source,
                                         const Value* canonical) {
  std::vector<unsigned char> bytes(source.size() * sizeof(Stored));
  for (std::size_t i = 0; i < source.size(); ++i) {
    Stored stored = 0;
    if (source[i] >= 0) stored = narrowed<Stored>(canonical[source[i]]);
    std::memcpy(bytes.data() + i * sizeof(Stored), &stored, sizeof(Stored));
  }
  return bytes;
}

/// Whether the values lie in arrays, so that others can take their place.
inline bool holds_values(const HeldValues& held) {
  for (const std::vector<std::int32_t>& source : held.sources) {
    if (!source.empty()) return true;
  }
  return false;
}

#ifndef ALPHASPARSE_PLAIN_VALUES
/// Whether value array i holds floats, which kernels widen.
inline bool holds_floats(const FormatFacts& facts, std::size_t i) {
  return has_doubles(facts) && std::strncmp(facts.arrays[i].type, "F32", 3) == 0;
}

/// Whether every value gives that of its mirror image, where the format has room for one of them.
template <class Value>
bool holds_images(const HeldValues& held, const Value* canonical) {
  const auto equal = [&](std::int32_t nz, std::int32_t image) {
    const bool both_nan = is_nan(canonical[nz]) && is_nan(canonical[image]);
    const Value wanted = image_of(held.facts.mirror, canonical[nz]);
#ifndef ALPHASPARSE_REAL_KERNEL
    if (have_equal_parts(wanted, canonical[image])) return true;
#endif
    return both_nan || std::memcmp(&wanted, canonical + image, sizeof wanted) == 0;
  };
  return held.facts.mirror == Mirror::none ||
         for_each_mirror_image(held.row_first, held.col, equal);
}

/// Whether values that share an entry of a dictionary are equal by their bits.
template <class Value>
bool holds_codes(const HeldValues& held, const Value* canonical) {
  for (std::size_t i = 0; i < held.codes.size(); ++i) {
    for (std::size_t nz = 0; nz < held.codes[i].size(); ++nz) {
      const std::int32_t code = held.codes[i][nz];
      if (code < 0) continue;
      const Value* const same = canonical + held.sources[i][code];
      if (std::memcmp(canonical + nz, same, sizeof(Value)) != 0) return false;
    }
  }
  return true;
}

/// Why arrays of floats cannot take these values; null: they can. Arrays that round take any value
/// within the range of floats. Others take 0 and values that a normal float gives bit for bit.
template <class Value>
const char* why_no_floats(const HeldValues& held, const Value* canonical) {
  for (std::size_t i = 0; i < held.sources.size(); ++i) {
    const ArrayFacts& array = held.facts.arrays[i];
    if (!holds_floats(held.facts, i)) continue;
    for (const std::int32_t nz : held.sources[i]) {
      if (nz < 0) continue;
      const auto stored = rounded(canonical[nz]);
      const Value widened = stored;
      if (array.rounded && !is_finite(stored) && is_finite(canonical[nz])) {
        return "the format rounds values to float, but some are too large for one";
      }
      if (!array.rounded && std::memcmp(&widened, canonical + nz, sizeof(Value)) != 0) {
        return "the format holds values as float, but some are not exactly one";
      }
    }
  }
  return nullptr;
}

/// Why values that share places, or are stored as floats, are not held; null: they are.
template <class Value>
const char* why_not_tied(const HeldValues& held, const Value* canonical) {
  if (!holds_codes(held, canonical)) {
    return "the format codes values, but some that share a code are not equal";
  }
  if (const char* const why = why_no_floats(held, canonical)) return why;
  if (!holds_images(held, canonical)) {
#ifndef ALPHASPARSE_REAL_KERNEL
    if (held.facts.mirror == Mirror::conjugate)
      return "the format holds one triangle, but the values are not Hermitian";
#endif
    return held.facts.mirror == Mirror::negated
               ? "the format holds one triangle, but the values are not skew-symmetric"
               : "the format holds one triangle, but the values are not symmetric";
  }
  return nullptr;
}

#endif
/// Why the format cannot hold these values; null: it can.
template <class Value>
const char* why_not_held(const HeldValues& held, [[maybe_unused]] const Value* canonical) {
  if (held.facts.nnz > 0 && !holds_values(held)) return "the values are part of the kernel";
#ifndef ALPHASPARSE_PLAIN_VALUES
  return why_not_tied(held, canonical);
#else
  return nullptr;
#endif
}

/// The bytes of value array i with these values.
template <class Value>
std::vector<unsigned char> stored_values(const HeldValues& held, std::size_t i,
                                         const Value* canonical) {
#ifndef ALPHASPARSE_PLAIN_VALUES
  if (holds_floats(held.facts, i))
    return stored_values<decltype(rounded(*canonical))>(held.sources[i], canonical);
#endif
  return stored_values<Value>(held.sources[i], canonical);
}

/// Calls store(i, bytes) for each value array with these values, [nnz] of type Value; throws
/// StatusError where the format cannot hold them.
template <class Value, class Store>
void replace_values(const HeldValues& held, const void* values, const Store& store) {
  const Value* const canonical = static_cast<const Value*>(values);
  if (const char* const why = why_not_held(held, canonical)) {
    throw StatusError(alphasparse_not_representable, why);
  }
  for (std::size_t i = 0; i < held.sources.size(); ++i) {
    if (!held.sources[i].empty()) store(i, stored_values(held, i, canonical));
  }
}

}  // namespace alphasparse::host
