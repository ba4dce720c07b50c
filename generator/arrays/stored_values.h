// stored_values: the values of a matrix as a format stores them.
//
// Values of 64 bits may be stored as floats, which kernels widen as they load them. That is so
// where every value comes back bit for bit, from 0 or a normal float, or where the design says
// `values=rounded`. Where only few values differ by their bits, codes stand for them and a
// dictionary holds each once. Then the dictionary may hold floats.
//
// Example: 0.5, 3 and -0.0 are floats, 0.1 and 1e-50 are none. Rounded, 0.1 is wrong by 1.5e-8 of
// itself, 1e-50 by all of it, and 1e300 has no float at all.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

/// The passes that make values smaller.
enum class ValueChoice {
  full,     ///< nothing: they are of the kernel's type
  coded,    ///< a dictionary where that is smaller; and floats where all of them are exact
  single,   ///< floats where all of them are exact
  rounded,  ///< floats, exact or not
};

/// The float that stands for a value of 64 bits. Where it would be below the smallest normal one it
/// is 0 of the same sign: programs that were compiled for fast arithmetic read such floats as 0.
float narrowed(double value);
Complex<float> narrowed(const Number& value);  ///< part by part

/// Whether a value of 64 bits comes back from narrowed() bit for bit.
bool is_single(double value);

/// Whether the choice stores these values, made through `source` (-1: a pad, 0), as float.
bool stores_single(ValueChoice choice, Dtype dtype, const CanonicalValues& canonical,
                   const std::vector<std::int32_t>& source);

/// The array `value`, made from the canonical values through `source`; no dictionary.
Array value_array(ValueChoice choice, Dtype dtype, const CanonicalValues& canonical,
                  std::vector<std::int32_t> source);

/// The same with bytes that are still to be made, from canonical values that must live until then.
Array unmade_value_array(ValueChoice choice, Dtype dtype, const CanonicalValues& canonical,
                         std::vector<std::int32_t> source);

/// Calls take(part) with the bytes of a value array in their order, with integers in the place of
/// the canonical values, one a part of each [nnz]; 0 in pads.
void for_bytes_of_integers(const Array& array, std::span<const std::byte> integers,
                           const TakeBytes& take);

/// A note behind the doc of a value array on its floats in a kernel of this type; else empty.
std::string precision_note(const Array& array, Dtype dtype);

/// Distinct values in the order of their first appearance, and the index of each stored one among
/// them. Pads, if there are any, share the last index: no value does, not even 0.
struct Dictionary {
  std::vector<std::int32_t> source;  ///< canonical index of each; -1 for pads
  std::vector<std::int32_t> code;    ///< of each stored value
};

/// Nothing where more than 65,536 values differ.
std::optional<Dictionary> make_dictionary(const CanonicalValues& canonical,
                                          const std::vector<std::int32_t>& value_source,
                                          Dtype dtype);

/// Why these values of the matrix cannot be rounded: names the first that is too large for a float.
std::optional<Failure> cannot_round(const Matrix& matrix, const std::vector<std::int32_t>& source);

/// Calls take(nz, entry) for each canonical value that a value array holds and the entry that
/// holds it.
template <class Take>
void for_each_value(const Array& array, const Take& take) {
  if (!array.is_dictionary()) {
    for (std::size_t entry = 0; entry < array.value_source.size(); ++entry) {
      if (array.value_source[entry] >= 0) take(array.value_source[entry], entry);
    }
    return;
  }
  for (std::size_t nz = 0; nz < array.value_code.size(); ++nz) {
    if (array.value_code[nz] < 0) continue;
    take(static_cast<std::int32_t>(nz), static_cast<std::size_t>(array.value_code[nz]));
  }
}

}  // namespace alphasparse
