#include "generator/kernel.h"

#include <array>

namespace alphasparse {

namespace {

struct ElementFacts {
  int bytes;
  const char* cuda;
  const char* safetensors;
};

// In the order of ElementType.
constexpr std::array<ElementFacts, 6> facts = {{{1, "unsigned char", "U8"},
                                                {2, "unsigned short", "U16"},
                                                {4, "unsigned", "U32"},
                                                {4, "int", "I32"},
                                                {4, "float", "F32"},
                                                {8, "double", "F64"}}};

const ElementFacts& facts_of(ElementType type) { return facts[static_cast<std::size_t>(type)]; }

}  // namespace

int element_bytes(ElementType type) { return facts_of(type).bytes; }
const char* element_cuda_name(ElementType type) { return facts_of(type).cuda; }
const char* element_safetensors_name(ElementType type) { return facts_of(type).safetensors; }

ElementType value_element_type(Dtype dtype) {
  return dtype == Dtype::f32 ? ElementType::f32 : ElementType::f64;
}

std::vector<FormatPointer> Kernel::pointers() const {
  std::vector<FormatPointer> all;
  for (const Array& array : arrays) all.push_back({&array, nullptr});
  for (const Workspace& scratch : workspaces) {
    all.insert(all.begin() + scratch.pointer, FormatPointer{nullptr, &scratch});
  }
  return all;
}

std::int64_t Kernel::format_bytes() const {
  std::int64_t bytes = 0;
  for (const Array& array : arrays) bytes += array.stored_bytes();
  return bytes;
}

}  // namespace alphasparse
