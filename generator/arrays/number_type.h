// number_type: the types of numbers. A type of values, x and y is one row (number_type): whoever
// needs a fact about it asks the row.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace alphasparse {

/// The element types of a format's arrays.
enum class ElementType { u8, u16, u32, i32, f32, f64 };

int element_bytes(ElementType type);
const char* element_cuda_name(ElementType type);  ///< "unsigned char", ..., "double"
const char* element_safetensors_name(
    ElementType type);  ///< "U8", "U16", "U32", "I32", "F32", "F64"

constexpr bool is_float(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f64;
}

/// Calls work with a zero of the type.
template <class Work>
decltype(auto) with_element(ElementType type, const Work& work) {
  switch (type) {
    case ElementType::u8:
      return work(std::uint8_t());
    case ElementType::u16:
      return work(std::uint16_t());
    case ElementType::u32:
      return work(std::uint32_t());
    case ElementType::i32:
      return work(std::int32_t());
    case ElementType::f32:
      return work(float());
    case ElementType::f64:
      return work(double());
  }
  CHECK(!"an element type without a C++ type");
}

/// The type of the values, x, y, alpha and beta.
enum class Dtype { f32, f64 };

inline constexpr Dtype default_dtype = Dtype::f32;
inline constexpr Dtype widest_dtype = Dtype::f64;  ///< holds the values of every file

struct NumberType {
  Dtype dtype;
  const char* name;                             ///< of options, files and reports: "f32"
  std::array<std::string_view, 2> other_names;  ///< other words for it: "float32", "single"
  ElementType element;                          ///< of arrays of it
  ElementType narrow;                           ///< that may stand for it in storage; else its own
  int bytes = 0;
  double epsilon = 0;           ///< of 1
  double least = 0;             ///< positive number
  std::int64_t exact_most = 0;  ///< every integer up to it is one of its numbers
  int cuda_data_type = 0;       ///< cudaDataType_t: CUDA_R_32F, CUDA_R_64F

  const char* c_name() const { return element_cuda_name(element); }  ///< "float"
  bool is_widest() const { return dtype == widest_dtype; }
};

template <class Number>
constexpr NumberType number_row(NumberType named) {
  using Limits = std::numeric_limits<Number>;
  named.bytes = sizeof(Number);
  named.epsilon = Limits::epsilon();
  named.least = Limits::denorm_min();
  named.exact_most = std::int64_t{1} << Limits::digits;
  return named;
}

/// All rows, in the order of Dtype.
inline constexpr std::array<NumberType, 2> number_types = {
    number_row<float>({.dtype = Dtype::f32,
                       .name = "f32",
                       .other_names = {"float32", "single"},
                       .element = ElementType::f32,
                       .narrow = ElementType::f32,
                       .cuda_data_type = 0}),
    number_row<double>({.dtype = Dtype::f64,
                        .name = "f64",
                        .other_names = {"float64", "double"},
                        .element = ElementType::f64,
                        .narrow = ElementType::f32,
                        .cuda_data_type = 1})};

constexpr const NumberType& number_type(Dtype dtype) {
  return number_types[static_cast<std::size_t>(dtype)];
}
inline const char* dtype_name(Dtype dtype) { return number_type(dtype).name; }

/// The type of this name, or of one of its other names.
std::optional<Dtype> dtype_named(std::string_view word);

/// "f32 (float32, single) or f64 (float64, double)".
std::string dtype_words();

/// "f32|f64".
std::string dtype_names();

/// The type of --dtype, by any of its words. Throws Error (exit 2) that names all.
Dtype parse_dtype(std::string_view word);

/// Calls work with a zero of the type: of float or double.
template <class Work>
decltype(auto) with_number(Dtype dtype, const Work& work) {
  return dtype == Dtype::f32 ? work(float()) : work(double());
}

/// A number as a type has it in memory; the rest is zeros.
struct NumberBytes {
  alignas(double) std::array<std::byte, sizeof(double)> bytes = {};
  void* data() { return bytes.data(); }
  const void* data() const { return bytes.data(); }
};

inline NumberBytes number_bytes(Dtype dtype, double number) {
  NumberBytes made;
  with_number(dtype, [&](auto zero) {
    const auto one = static_cast<decltype(zero)>(number);
    std::memcpy(made.data(), &one, sizeof one);
  });
  return made;
}

}  // namespace alphasparse
