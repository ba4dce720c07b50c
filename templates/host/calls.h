// calls: the check of a handle that every C function makes.
#pragma once
#include "templates/host/any_handle.h"
#include "templates/host/facts.h"

namespace alphasparse::host {

/// Why a call's arguments are refused; null: they are well.
inline const char* why_refused(const alphasparse_handle* handle, bool has_pointers) {
  if (!handle || !has_pointers) return "a null pointer";
  return handle->kernel == &facts ? nullptr : "a handle of another kernel";
}

}  // namespace alphasparse::host
