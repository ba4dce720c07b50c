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
#include <vector>

#include "base/complex.h"
#include "base/result.h"

namespace alphasparse {

/// The element types of a format's arrays. A complex number is its two parts, side by side.
enum class ElementType { u8, u16, u32, i32, f32, f64, c64, c128 };

int element_bytes(ElementType type);
const char* element_cuda_name(ElementType type);  ///< "unsigned char", ..., "Complex<double>"
/// In texts for people: that of C++, or "c64" and "c128".
const char* element_name(ElementType type);
/// Of several that are loaded at once, without their number: "float", "Complex".
const char* element_vector_name(ElementType type);
/// Of its parts: "U8", "U16", "U32", "I32", "F32", "F64".
const char* element_safetensors_name(ElementType type);
/// Of so many of them in a file: [count], or [count, 2] of complex ones.
std::vector<std::int64_t> element_shape(ElementType type, std::int64_t count);
/// Of a tensor in a loader: "U8", ..., "F64", "F32x2", "F64x2".
const char* element_tensor_name(ElementType type);
std::optional<ElementType> element_of_tensor(std::string_view name);

constexpr bool is_complex(ElementType type) { return type >= ElementType::c64; }
constexpr bool is_float(ElementType type) { return type >= ElementType::f32; }

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
    case ElementType::c64:
      return work(Complex<float>());
    case ElementType::c128:
      return work(Complex<double>());
  }
  CHECK(!"an element type without a C++ type");
}

/// The type of the values, x, y, alpha and beta.
enum class Dtype { f32, f64, c64, c128 };

inline constexpr Dtype default_dtype = Dtype::f32;
inline constexpr Dtype default_complex_dtype = Dtype::c64;
inline constexpr Dtype widest_dtype = Dtype::c128;  ///< holds the values of every file

struct NumberType {
  Dtype dtype;
  const char* name;                             ///< of options, files and reports: "f32"
  std::array<std::string_view, 2> other_names;  ///< other words for it: "float32", "single"
  Dtype real;                                   ///< of its parts; of a real type itself
  ElementType element;                          ///< of arrays of it
  ElementType narrow;                           ///< that may stand for it in storage; else its own
  Dtype wider;                                  ///< its parts have more digits; else itself
  const char* c_name;                           ///< in C: "float", "alphasparse_c64"
  int parts = 1;                                ///< real numbers in one: 2 of a complex one
  int cuda_data_type = 0;                       ///< cudaDataType_t: CUDA_R_32F, ...
  int bytes = 0;
  double epsilon = 0;           ///< of 1
  double least = 0;             ///< positive number
  std::int64_t exact_most = 0;  ///< every integer up to it is one of its numbers

  bool is_complex() const { return parts == 2; }
  int flops() const { return 2 * parts * parts; }  ///< of a product and its addition
  bool is_widest() const { return dtype == wider; }
  const char* real_name() const {  ///< of a part in C: "float"
    return element_cuda_name(real == Dtype::f32 ? ElementType::f32 : ElementType::f64);
  }
};

/// `Part` is the type of its parts.
template <class Part>
constexpr NumberType number_row(NumberType named) {
  using Limits = std::numeric_limits<Part>;
  named.bytes = named.parts * static_cast<int>(sizeof(Part));
  named.epsilon = Limits::epsilon();
  named.least = Limits::denorm_min();
  named.exact_most = std::int64_t{1} << Limits::digits;
  return named;
}

/// All rows, in the order of Dtype.
inline constexpr std::array<NumberType, 4> number_types = {
    number_row<float>({.dtype = Dtype::f32,
                       .name = "f32",
                       .other_names = {"float32", "single"},
                       .real = Dtype::f32,
                       .element = ElementType::f32,
                       .narrow = ElementType::f32,
                       .wider = Dtype::f64,
                       .c_name = "float",
                       .cuda_data_type = 0}),
    number_row<double>({.dtype = Dtype::f64,
                        .name = "f64",
                        .other_names = {"float64", "double"},
                        .real = Dtype::f64,
                        .element = ElementType::f64,
                        .narrow = ElementType::f32,
                        .wider = Dtype::f64,
                        .c_name = "double",
                        .cuda_data_type = 1}),
    number_row<float>({.dtype = Dtype::c64,
                       .name = "c64",
                       .other_names = {"complex64", "csingle"},
                       .real = Dtype::f32,
                       .element = ElementType::c64,
                       .narrow = ElementType::c64,
                       .wider = Dtype::c128,
                       .c_name = "alphasparse_c64",
                       .parts = 2,
                       .cuda_data_type = 4}),
    number_row<double>({.dtype = Dtype::c128,
                        .name = "c128",
                        .other_names = {"complex128", "cdouble"},
                        .real = Dtype::f64,
                        .element = ElementType::c128,
                        .narrow = ElementType::c64,
                        .wider = Dtype::c128,
                        .c_name = "alphasparse_c128",
                        .parts = 2,
                        .cuda_data_type = 5})};

constexpr const NumberType& number_type(Dtype dtype) {
  return number_types[static_cast<std::size_t>(dtype)];
}
inline const char* dtype_name(Dtype dtype) { return number_type(dtype).name; }

/// The type of this name, or of one of its other names.
std::optional<Dtype> dtype_named(std::string_view text);

/// "f32 (float32, single) or f64 (float64, double)".
std::string dtype_list();

/// "f32|f64".
std::string dtype_names();

/// The type of --dtype, by any of its words. Throws Error (exit 2) that names all.
Dtype parse_dtype(std::string_view text);

/// Calls work with a zero of the type's parts: of float or double.
template <class Work>
decltype(auto) with_real(Dtype dtype, const Work& work) {
  return number_type(dtype).real == Dtype::f32 ? work(float()) : work(double());
}

/// Calls work with a zero of the type.
template <class Work>
decltype(auto) with_number(Dtype dtype, const Work& work) {
  return with_real(dtype, [&](auto zero) -> decltype(auto) {
    return number_type(dtype).is_complex() ? work(Complex<decltype(zero)>()) : work(zero);
  });
}

/// A number as a type has it in memory; the rest is zeros. A real type has no imaginary part.
struct NumberBytes {
  alignas(2 * sizeof(double)) std::array<std::byte, 2 * sizeof(double)> bytes = {};
  void* data() { return bytes.data(); }
  const void* data() const { return bytes.data(); }
};

inline NumberBytes number_bytes(Dtype dtype, const Complex<double>& number) {
  NumberBytes made;
  with_real(dtype, [&](auto zero) {
    using Part = decltype(zero);
    const Part parts[] = {static_cast<Part>(number.re), static_cast<Part>(number.im)};
    std::memcpy(made.data(), parts, static_cast<std::size_t>(number_type(dtype).bytes));
  });
  return made;
}

}  // namespace alphasparse
