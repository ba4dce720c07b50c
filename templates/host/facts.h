// facts: the properties that a standalone kernel demands of its format file. Their table follows
// the loader.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "templates/host/mirror_kind.h"

namespace alphasparse::host {

/// One array that the kernel reads.
struct ArrayFacts {
  const char* name;         ///< of its tensor
  const char* type;         ///< of its tensor: U8, U16, U32, I32, F32 or F64; F32x2 of pairs
  std::int64_t count;       ///< of its entries
  bool dictionary = false;  ///< a value array that codes name: others hold no code of it
  bool rounded = false;     ///< a value array of floats that may stand for other doubles
};

/// Scratch memory of the kernel: no file holds it.
struct WorkspaceFacts {
  std::size_t bytes;
  std::size_t pointer;  ///< its place among the pointers in the kernel's Format
};

/// The properties that a format file must have, or the kernel refuses it.
struct FormatFacts {
  const char* design;
  const char* dtype;  ///< of the values, x and y: f32, f64, c64 or c128
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t nnz;
  Mirror mirror;             ///< unless none, an entry stands for its mirror image too
  const char* structure;     ///< digest of all arrays but the values (format_reader.h)
  const char* values;        ///< fingerprint of the matrix' values
  const char* prefix;        ///< of the kernel's C functions
  const ArrayFacts* arrays;  ///< in the order of the pointers in Format that no workspace has
  std::size_t array_count;
  const WorkspaceFacts* workspaces = nullptr;  ///< by ascending pointer
  std::size_t workspace_count = 0;
  std::size_t workspace_bytes = 0;  ///< of all, each at the alignment of arrays on a device
};

#ifdef ALPHASPARSE_REAL_KERNEL
/// Whether values, x and y are doubles; else they are floats.
[[maybe_unused]] inline bool has_doubles(const FormatFacts& facts) {
  return std::strcmp(facts.dtype, "f64") == 0;
}
#else
/// Whether values, x and y consist of doubles; else of floats.
[[maybe_unused]] inline bool has_doubles(const FormatFacts& facts) {
  return std::strcmp(facts.dtype, "f64") == 0 || std::strcmp(facts.dtype, "c128") == 0;
}
#endif

inline bool is_value(const ArrayFacts& array) { return array.type[0] == 'F'; }

template <class Function>
void for_each_workspace(const FormatFacts& facts, const Function& function) {
  const WorkspaceFacts* const end = facts.workspaces + facts.workspace_count;
  for (const WorkspaceFacts* scratch = facts.workspaces; scratch != end; ++scratch) {
    function(*scratch);
  }
}

/// The place of an array's pointer.
inline std::size_t pointer_of_array([[maybe_unused]] const FormatFacts& facts, std::size_t array) {
  for_each_workspace(facts,
                     [&](const WorkspaceFacts& scratch) { array += scratch.pointer <= array; });
  return array;
}

}  // namespace alphasparse::host
