// pointers: those of a kernel's Format, in the order of the facts' arrays and workspaces.
#pragma once
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "templates/host/facts.h"

namespace alphasparse::host {

static_assert(std::is_trivially_copyable_v<Format>);
constexpr std::size_t pointer_count = facts.array_count + facts.workspace_count;
static_assert(pointer_count == 0 || sizeof(Format) == pointer_count * sizeof(void*));

/// The pointers of Format, and one more, so that there is one.
using Pointers = std::array<void*, pointer_count + 1>;

inline Pointers pointers_of(const Format& format) {
  Pointers pointers{};
  if constexpr (pointer_count > 0) std::memcpy(pointers.data(), &format, sizeof format);
  return pointers;
}

inline Format format_of(const Pointers& pointers) {
  Format format{};
  if constexpr (pointer_count > 0) std::memcpy(&format, pointers.data(), sizeof format);
  return format;
}

//[ scratch
template <class Function>
void for_each_workspace(const Function& function) {
  const WorkspaceFacts* const end = facts.workspaces + facts.workspace_count;
  for (const WorkspaceFacts* scratch = facts.workspaces; scratch != end; ++scratch) {
    function(*scratch);
  }
}

//]
/// The place of an array's pointer in Format.
inline std::size_t pointer_of_array(std::size_t array) {
  //[ scratch
  for_each_workspace([&](const WorkspaceFacts& scratch) { array += scratch.pointer <= array; });
  //]
  return array;
}

}  // namespace alphasparse::host
