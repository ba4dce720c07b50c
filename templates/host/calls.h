// calls: the parts that a kernel's C functions share. Its Format is pointers, in the order of the
// facts' arrays and workspaces.
#pragma once
#include <cstddef>
#include <type_traits>

#include "templates/host/any_handle.h"
#include "templates/host/facts.h"
#include "templates/host/message.h"

namespace alphasparse::host {

static_assert(std::is_trivially_copyable_v<Format>);
constexpr std::size_t pointer_count = facts.array_count + facts.workspace_count;
static_assert(pointer_count == 0 || sizeof(Format) == pointer_count * sizeof(void*));

/// The message of the kernel's last call in this thread that failed.
inline Message& message() {
  thread_local Message last = {""};
  return last;
}

/// Why a call's arguments are refused; null: they are right.
inline const char* why_refused(const alphasparse_handle* handle, bool has_pointers) {
  if (!handle || !has_pointers) return "a null pointer";
  return handle->kernel == &facts ? nullptr : "a handle of another kernel";
}

inline int refused(const char* call, const char* why) {
  return failed(message(), alphasparse_bad_argument, call, why);
}

}  // namespace alphasparse::host
