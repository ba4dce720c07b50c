// interface: the C functions of a GPU's kernel, which NAME.h declares. None of them throws.
// The struct has functions of this file alone: of two libraries with one prefix, the C functions of
// the first may stand for those of the second.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "templates/host/alphasparse_kernel.h"
#include "templates/host/handle.cuh"

static const char* message_here() { return alphasparse::host::message().text; }

static void free_here(alphasparse_handle* handle) {
  using namespace alphasparse::host;
  if (!why_refused(handle, true)) delete static_cast<Handle*>(handle);
}

static int load_here(const char* path, alphasparse_handle** out) {
  using namespace alphasparse::host;
  if (out) *out = nullptr;
  if (!path || !out) return refused("PREFIX_load", "a null pointer");
  Handle* handle = nullptr;
  const int status = open_handle(path, &handle);
  *out = handle;
  return status;
}

#ifndef ALPHASPARSE_KERNEL_VECTORS
#ifndef ALPHASPARSE_REAL_KERNEL
/// Whether loads of both parts at once can read x and y.
static bool are_aligned(const void* x, const void* y) {
  return (reinterpret_cast<std::uintptr_t>(x) | reinterpret_cast<std::uintptr_t>(y)) %
             alignof(Value) ==
         0;
}

#endif
static int spmv_here(const alphasparse_handle* handle, const void* x, void* y, Value alpha,
                     Value beta, cudaStream_t stream) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_spmv";
  if (const char* const why = why_refused(handle, x && y)) return refused(what, why);
#ifndef ALPHASPARSE_REAL_KERNEL
  if (!are_aligned(x, y)) return refused(what, "x or y is not aligned to its numbers");
#endif
  const Handle& own = *static_cast<const Handle*>(handle);
  return run_spmv(what, own, own.format, x, y, alpha, beta, stream);
}

static int spmv_with_here(const alphasparse_handle* handle, const void* x, void* y, Value alpha,
                          Value beta, void* workspace, cudaStream_t stream) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_spmv_with";
  const bool has_workspace = workspace || facts.workspace_bytes == 0;
  if (const char* const why = why_refused(handle, x && y && has_workspace))
    return refused(what, why);
#ifndef ALPHASPARSE_REAL_KERNEL
  if (!are_aligned(x, y)) return refused(what, "x or y is not aligned to its numbers");
#endif
  const Handle& own = *static_cast<const Handle*>(handle);
  Format format = own.format;
  if (facts.workspace_count > 0) {
    if (reinterpret_cast<std::uintptr_t>(workspace) % array_alignment != 0)
      return refused(what, "the workspace is not aligned");
    format = format_with(format, workspace);
  }
  return run_spmv(what, own, format, x, y, alpha, beta, stream);
}

static size_t workspace_bytes_here(size_t* alignment) {
  using namespace alphasparse::host;
  if (alignment) *alignment = array_alignment;
  return facts.workspace_bytes;
}

#endif
static int update_values_here(alphasparse_handle* handle, const void* values) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_update_values";
  if (const char* const why = why_refused(handle, values || facts.nnz == 0))
    return refused(what, why);
  return replace_values(*static_cast<Handle*>(handle)->held, what, values, message());
}

static int update_values_device_here(alphasparse_handle* handle, const void* values,
                                     cudaStream_t stream) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_update_values_device";
  if (const char* const why = why_refused(handle, values || facts.nnz == 0))
    return refused(what, why);
  return replace_values_on_device(*static_cast<Handle*>(handle)->held, what, values, stream,
                                  message());
}

extern "C" const alphasparse_kernel* PREFIX_interface() {
  using namespace alphasparse::host;
  static const alphasparse_kernel kernel = {
#ifdef ALPHASPARSE_KERNEL_VECTORS
      ALPHASPARSE_VECTORS_VERSION,
#else
#ifdef ALPHASPARSE_KERNEL_OWN_ORDER
      ALPHASPARSE_OWN_ORDER_VERSION,
#else
      ALPHASPARSE_KERNEL_VERSION,
#endif
#endif
      sizeof(alphasparse_kernel),
      facts.prefix,
      facts.design,
      facts.dtype,
      facts.rows,
      facts.cols,
      facts.nnz,
      load_here,
#ifdef ALPHASPARSE_KERNEL_VECTORS
      nullptr,
      nullptr,
      nullptr,
#else
      [](const alphasparse_handle* handle, const void* x, void* y, double alpha, double beta,
         cudaStream_t stream) {
        return spmv_here(handle, x, y, static_cast<Value>(alpha), static_cast<Value>(beta), stream);
      },
      [](const alphasparse_handle* handle, const void* x, void* y, double alpha, double beta,
         void* workspace, cudaStream_t stream) {
        return spmv_with_here(handle, x, y, static_cast<Value>(alpha), static_cast<Value>(beta),
                              workspace, stream);
      },
      workspace_bytes_here,
#endif
      update_values_here,
      update_values_device_here,
      free_here,
      message_here,
      "cuda",
      nullptr,
#ifdef ALPHASPARSE_KERNEL_OWN_ORDER
      1,
      order_here,
      to_own_here,
      from_own_here,
#else
      0,
      nullptr,
      nullptr,
      nullptr,
#endif
#ifdef ALPHASPARSE_KERNEL_VECTORS
      vectors,
      spmm_here,
      spmm_columns_here,
      nullptr};
#else
      1,
      nullptr,
      nullptr,
      [](const alphasparse_handle* handle, const void* x, void* y, const void* alpha,
         const void* beta, cudaStream_t stream) {
        if (!alpha || !beta) return refused("PREFIX_spmv", "a null pointer");
        return spmv_here(handle, x, y, *static_cast<const Value*>(alpha),
                         *static_cast<const Value*>(beta), stream);
      }};
#endif
  return &kernel;
}

extern "C" const char* PREFIX_message() { return message_here(); }
extern "C" void PREFIX_free(alphasparse_handle* handle) { return free_here(handle); }
extern "C" int PREFIX_load(const char* path, alphasparse_handle** out) {
  return load_here(path, out);
}
#ifdef ALPHASPARSE_KERNEL_VECTORS
extern "C" int PREFIX_update_values(alphasparse_handle* handle, const Real* values) {
  return update_values_here(handle, values);
}
extern "C" int PREFIX_update_values_device(alphasparse_handle* handle, const Real* values,
                                           cudaStream_t stream) {
  return update_values_device_here(handle, values, stream);
}
#else
#ifdef ALPHASPARSE_REAL_KERNEL
extern "C" int PREFIX_spmv(const alphasparse_handle* handle, const Value* x, Value* y, Value alpha,
                           Value beta, cudaStream_t stream) {
  return spmv_here(handle, x, y, alpha, beta, stream);
}
extern "C" int PREFIX_spmv_with(const alphasparse_handle* handle, const Value* x, Value* y,
                                Value alpha, Value beta, void* workspace, cudaStream_t stream) {
  return spmv_with_here(handle, x, y, alpha, beta, workspace, stream);
}
#else
extern "C" int PREFIX_spmv(const alphasparse_handle* handle, const CNumber* x, CNumber* y,
                           CNumber alpha, CNumber beta, cudaStream_t stream) {
  return spmv_here(handle, x, y, {alpha.re, alpha.im}, {beta.re, beta.im}, stream);
}
extern "C" int PREFIX_spmv_with(const alphasparse_handle* handle, const CNumber* x, CNumber* y,
                                CNumber alpha, CNumber beta, void* workspace, cudaStream_t stream) {
  return spmv_with_here(handle, x, y, {alpha.re, alpha.im}, {beta.re, beta.im}, workspace, stream);
}
#endif
extern "C" size_t PREFIX_workspace_bytes(size_t* alignment) {
  return workspace_bytes_here(alignment);
}
extern "C" int PREFIX_update_values(alphasparse_handle* handle, const CValue* values) {
  return update_values_here(handle, values);
}
extern "C" int PREFIX_update_values_device(alphasparse_handle* handle, const CValue* values,
                                           cudaStream_t stream) {
  return update_values_device_here(handle, values, stream);
}
#endif
