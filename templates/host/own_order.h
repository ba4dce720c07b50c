// own_order: the C functions of a CPU's kernel whose x and y have an order of its own.
#pragma once
#include <cstdint>

#include "templates/host/handle.h"

static int order_here(const alphasparse_handle* handle, const std::int32_t** rows,
                      const std::int32_t** columns) {
  using namespace alphasparse::host;
  if (const char* const why = why_refused(handle, rows && columns))
    return refused("PREFIX_order", why);
  *rows = own_rows(static_cast<const Handle*>(handle)->team.f);
  *columns = own_columns(static_cast<const Handle*>(handle)->team.f);
  return alphasparse_ok;
}

static int to_own_here(const alphasparse_handle* handle, const void* x, void* own, CUstream_st*) {
  using namespace alphasparse::host;
  if (const char* const why = why_refused(handle, x && own)) return refused("PREFIX_to_own", why);
  const std::int32_t* const columns = own_columns(static_cast<const Handle*>(handle)->team.f);
  for (std::int64_t i = 0; i < facts.cols; ++i)
    static_cast<Value*>(own)[i] = static_cast<const Value*>(x)[columns[i]];
  return alphasparse_ok;
}

static int from_own_here(const alphasparse_handle* handle, void* y, const void* own, CUstream_st*) {
  using namespace alphasparse::host;
  if (const char* const why = why_refused(handle, y && own)) return refused("PREFIX_from_own", why);
  const std::int32_t* const rows = own_rows(static_cast<const Handle*>(handle)->team.f);
  for (std::int64_t i = 0; i < facts.rows; ++i)
    static_cast<Value*>(y)[rows[i]] = static_cast<const Value*>(own)[i];
  return alphasparse_ok;
}

extern "C" int PREFIX_order(const alphasparse_handle* handle, const std::int32_t** rows,
                            const std::int32_t** columns) {
  return order_here(handle, rows, columns);
}
extern "C" int PREFIX_to_own(const alphasparse_handle* handle, const Value* x, Value* own) {
  return to_own_here(handle, x, own, nullptr);
}
extern "C" int PREFIX_from_own(const alphasparse_handle* handle, Value* y, const Value* own) {
  return from_own_here(handle, y, own, nullptr);
}
