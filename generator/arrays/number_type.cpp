#include "generator/arrays/number_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace alphasparse {

namespace {

struct ElementFacts {
  int bytes;
  const char* cuda;
  const char* safetensors;
  const char* tensor;
  const char* vector;
};

// In the order of ElementType.
constexpr std::array<ElementFacts, 8> elements = {
    {{1, "unsigned char", "U8", "U8", "uchar"},
     {2, "unsigned short", "U16", "U16", "ushort"},
     {4, "unsigned", "U32", "U32", "uint"},
     {4, "int", "I32", "I32", "int"},
     {4, "float", "F32", "F32", "float"},
     {8, "double", "F64", "F64", "double"},
     {8, "Complex<float>", "F32", "F32x2", "Complex"},
     {16, "Complex<double>", "F64", "F64x2", "Complex"}}};

const ElementFacts& look_up(ElementType type) { return elements[static_cast<std::size_t>(type)]; }

}  // namespace

int element_bytes(ElementType type) { return look_up(type).bytes; }
const char* element_cuda_name(ElementType type) { return look_up(type).cuda; }
const char* element_name(ElementType type) {
  return type == ElementType::c64    ? dtype_name(Dtype::c64)
         : type == ElementType::c128 ? dtype_name(Dtype::c128)
                                     : element_cuda_name(type);
}
const char* element_vector_name(ElementType type) { return look_up(type).vector; }
const char* element_safetensors_name(ElementType type) { return look_up(type).safetensors; }
const char* element_tensor_name(ElementType type) { return look_up(type).tensor; }

std::vector<std::int64_t> element_shape(ElementType type, std::int64_t count) {
  return is_complex(type) ? std::vector<std::int64_t>{count, 2} : std::vector<std::int64_t>{count};
}

std::optional<ElementType> element_of_tensor(std::string_view name) {
  const auto* const found = std::find_if(elements.begin(), elements.end(),
                                         [&](const auto& one) { return name == one.tensor; });
  if (found == elements.end()) return std::nullopt;
  return static_cast<ElementType>(found - elements.begin());
}

std::optional<Dtype> dtype_named(std::string_view text) {
  for (const NumberType& type : number_types) {
    const auto& others = type.other_names;
    if (text == type.name || std::find(others.begin(), others.end(), text) != others.end())
      return type.dtype;
  }
  return std::nullopt;
}

std::string dtype_list() {
  std::vector<std::string> names;
  for (const NumberType& type : number_types)
    names.push_back(fmt::format("{} ({})", type.name, fmt::join(type.other_names, ", ")));
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string dtype_names() {
  std::string names;
  for (const NumberType& type : number_types) names.append(names.empty() ? "" : "|") += type.name;
  return names;
}

Dtype parse_dtype(std::string_view text) {
  if (const auto dtype = dtype_named(text)) return *dtype;
  throw Error(fmt::format("--dtype wants {}, not '{}'", dtype_list(), text));
}

}  // namespace alphasparse
