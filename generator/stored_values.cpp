#include "generator/stored_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "generator/ranges.h"

namespace alphasparse {

namespace {

template <class T>
std::vector<std::byte> gather_values(const std::vector<double>& canonical,
                                     const std::vector<std::int32_t>& source) {
  std::vector<std::byte> bytes(source.size() * sizeof(T));
  for_ranges(static_cast<std::int64_t>(source.size()), [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      const T value = source[i] < 0 ? T(0) : static_cast<T>(canonical[source[i]]);
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
  });
  return bytes;
}

/// The bits by which values are told apart, as the device holds them.
std::uint64_t value_bits(Dtype dtype, double value) {
  return dtype == Dtype::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                             : std::bit_cast<std::uint64_t>(value);
}

double widened(double value) { return static_cast<float>(value); }

/// The largest relative error of a value that becomes a float.
double rounding_error(const std::vector<double>& canonical,
                      const std::vector<std::int32_t>& source) {
  double largest = 0;
  for (const std::int32_t nz : source) {
    if (nz < 0 || canonical[nz] == 0) continue;
    largest = std::max(largest, std::abs((widened(canonical[nz]) - canonical[nz]) / canonical[nz]));
  }
  return largest;
}

}  // namespace

bool is_single(double value) {
  return std::bit_cast<std::uint64_t>(widened(value)) == std::bit_cast<std::uint64_t>(value);
}

bool stores_single(ValueChoice choice, Dtype dtype, const std::vector<double>& canonical,
                   const std::vector<std::int32_t>& source) {
  if (choice == ValueChoice::full || dtype == Dtype::f32 || source.empty()) return false;
  return choice == ValueChoice::rounded ||
         std::all_of(source.begin(), source.end(),
                     [&](std::int32_t nz) { return nz < 0 || is_single(canonical[nz]); });
}

Array value_array(ValueChoice choice, Dtype dtype, const std::vector<double>& canonical,
                  std::vector<std::int32_t> source) {
  Array array = unfilled_value_array(choice, dtype, canonical, std::move(source));
  fill_values(array, canonical);
  return array;
}

Array unfilled_value_array(ValueChoice choice, Dtype dtype, const std::vector<double>& canonical,
                           std::vector<std::int32_t> source) {
  Array array;
  array.name = "value";
  array.count = static_cast<std::int64_t>(source.size());
  const bool single = stores_single(choice, dtype, canonical, source);
  array.type = single ? ElementType::f32 : value_element_type(dtype);
  array.rounded = single && choice == ValueChoice::rounded;
  if (array.rounded) array.value_error = rounding_error(canonical, source);
  array.doc = "value of each stored entry; 0 for a pad" + precision_note(array, dtype);
  array.value_source = std::move(source);
  return array;
}

void fill_values(Array& array, const std::vector<double>& canonical) {
  array.bytes = array.type == ElementType::f32
                    ? gather_values<float>(canonical, array.value_source)
                    : gather_values<double>(canonical, array.value_source);
}

std::string precision_note(const Array& array, Dtype dtype) {
  if (!array.is_single(dtype)) return "";
  return array.rounded ? "; rounded to float" : "; exact as float";
}

std::optional<Dictionary> make_dictionary(const std::vector<double>& canonical,
                                          const std::vector<std::int32_t>& value_source,
                                          Dtype dtype) {
  constexpr std::size_t most = 1 << 16;
  Dictionary dictionary;
  std::unordered_map<std::uint64_t, std::int32_t> codes;
  codes.reserve(std::min(value_source.size(), most));
  bool has_pads = false;
  for (const std::int32_t source : value_source) {
    has_pads = has_pads || source < 0;
    if (source < 0) {
      dictionary.code.push_back(-1);
      continue;
    }
    const auto next = static_cast<std::int32_t>(dictionary.source.size());
    const auto [at, is_new] = codes.try_emplace(value_bits(dtype, canonical[source]), next);
    if (is_new) dictionary.source.push_back(source);
    dictionary.code.push_back(at->second);
    if (codes.size() > most) return std::nullopt;
  }
  if (!has_pads) return dictionary;
  const auto pad = static_cast<std::int32_t>(dictionary.source.size());
  std::replace(dictionary.code.begin(), dictionary.code.end(), -1, pad);
  dictionary.source.push_back(-1);
  return dictionary;
}

std::optional<Failure> cannot_round(const Matrix& matrix, const std::vector<std::int32_t>& source) {
  std::optional<std::int32_t> first;
  for (const std::int32_t nz : source) {
    if (nz >= 0 && std::isinf(widened(matrix.value[nz])) && (!first || nz < *first)) first = nz;
  }
  if (!first) return std::nullopt;
  const auto after = std::upper_bound(matrix.row_first.begin(), matrix.row_first.end(), *first);
  return Failure{
      Status::pruned,
      fmt::format("compact: {} (row {}, column {}, counted from 0) is too large for a float; use "
                  "values=single",
                  matrix.value[*first], after - matrix.row_first.begin() - 1, matrix.col[*first])};
}

}  // namespace alphasparse
