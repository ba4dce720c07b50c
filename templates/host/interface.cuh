// interface: the C functions of a standalone kernel, which NAME.h describes.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

#include "templates/host/alphasparse_kernel.h"
#include "templates/host/calls.cuh"
#include "templates/host/cuda_error.cuh"
#include "templates/host/handle.cuh"
#include "templates/host/loader.h"
#include "templates/host/status.h"
#include "templates/host/values.cuh"

extern "C" const char* PREFIX_message() { return alphasparse::host::message(); }

extern "C" void PREFIX_free(alphasparse_handle* handle) {
  using namespace alphasparse::host;
  if (!why_refused(handle, true)) release(static_cast<Handle*>(handle));
}

extern "C" int PREFIX_load(const char* path, alphasparse_handle** out) {
  using namespace alphasparse::host;
  if (out) *out = nullptr;
  if (!path || !out) return failed(alphasparse_bad_argument, "PREFIX_load", "a null pointer");
  Handle* handle = nullptr;
  const int status = guarded(path, [&] {
    LoadedFormat loaded = load_format(path, facts, false);
    load_kernels();
    handle = new Handle();
    check_cuda(cudaGetDevice(&handle->device), "cudaGetDevice");
    upload(loaded, *handle);
    for (LoadedArray& array : loaded.arrays) {
      handle->sources.push_back(std::move(array.source));
      //[ coded
      handle->codes.push_back(std::move(array.code));
      //]
    }
    //[ mirrored
    handle->row_first = std::move(loaded.row_first);
    handle->col = std::move(loaded.col);
    //]
  });
  if (status == alphasparse_ok) {
    *out = handle;
  } else if (handle) {
    release(handle);
  }
  return status;
}

extern "C" int PREFIX_spmv(const alphasparse_handle* handle, const Value* x, Value* y, Value alpha,
                           Value beta, cudaStream_t stream) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_spmv";
  if (const char* const why = why_refused(handle, x && y)) {
    return failed(alphasparse_bad_argument, what, why);
  }
  const Handle& own = *static_cast<const Handle*>(handle);
  return run_spmv(what, own, own.format, x, {y, alpha, beta}, stream);
}

extern "C" int PREFIX_spmv_with(const alphasparse_handle* handle, const Value* x, Value* y,
                                Value alpha, Value beta, void* workspace, cudaStream_t stream) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_spmv_with";
  const bool has_workspace = workspace || workspace_bytes() == 0;
  if (const char* const why = why_refused(handle, x && y && has_workspace)) {
    return failed(alphasparse_bad_argument, what, why);
  }
  const Handle& own = *static_cast<const Handle*>(handle);
  Format format = own.format;
  //[ scratch
  if (reinterpret_cast<std::uintptr_t>(workspace) % array_alignment != 0) {
    return failed(alphasparse_bad_argument, what, "the workspace is not aligned");
  }
  format = format_with(format, workspace);
  //]
  return run_spmv(what, own, format, x, {y, alpha, beta}, stream);
}

extern "C" size_t PREFIX_workspace_bytes(size_t* alignment) {
  if (alignment) *alignment = alphasparse::host::array_alignment;
  return alphasparse::host::workspace_bytes();
}

extern "C" int PREFIX_update_values(alphasparse_handle* handle, const Value* values) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_update_values";
  if (const char* const why = why_refused(handle, values || facts.nnz == 0)) {
    return failed(alphasparse_bad_argument, what, why);
  }
  Handle& own = *static_cast<Handle*>(handle);
  const char* why = nullptr;
  const int status = guarded(what, [&] {
    why = why_not_held(own, values);
    if (!why) update_values(own, values);
  });
  return why ? failed(alphasparse_not_representable, what, why) : status;
}

extern "C" int PREFIX_update_values_device(alphasparse_handle* handle, const Value* values,
                                           cudaStream_t stream) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_update_values_device";
  if (const char* const why = why_refused(handle, values || facts.nnz == 0)) {
    return failed(alphasparse_bad_argument, what, why);
  }
  if (facts.nnz == 0) return alphasparse_ok;
  Handle& own = *static_cast<Handle*>(handle);
  if (!holds_values(own)) {
    return failed(alphasparse_not_representable, what, "the values are part of the kernel");
  }
  //[ coded singles mirrored
  if (const char* const why = why_only_from_host()) {
    return failed(alphasparse_only_from_host, what, why);
  }
  //]
  return guarded(what, [&] { update_values_on_device(own, values, stream); });
}

extern "C" const alphasparse_kernel* PREFIX_interface() {
  using alphasparse::host::facts;
  static const alphasparse_kernel kernel = {
      ALPHASPARSE_KERNEL_VERSION,
      sizeof(alphasparse_kernel),
      facts.prefix,
      facts.design,
      facts.dtype,
      facts.rows,
      facts.cols,
      facts.nnz,
      PREFIX_load,
      [](const alphasparse_handle* handle, const void* x, void* y, double alpha, double beta,
         cudaStream_t stream) {
        return PREFIX_spmv(handle, static_cast<const Value*>(x), static_cast<Value*>(y),
                           static_cast<Value>(alpha), static_cast<Value>(beta), stream);
      },
      [](const alphasparse_handle* handle, const void* x, void* y, double alpha, double beta,
         void* workspace, cudaStream_t stream) {
        return PREFIX_spmv_with(handle, static_cast<const Value*>(x), static_cast<Value*>(y),
                                static_cast<Value>(alpha), static_cast<Value>(beta), workspace,
                                stream);
      },
      PREFIX_workspace_bytes,
      [](alphasparse_handle* handle, const void* values) {
        return PREFIX_update_values(handle, static_cast<const Value*>(values));
      },
      [](alphasparse_handle* handle, const void* values, cudaStream_t stream) {
        return PREFIX_update_values_device(handle, static_cast<const Value*>(values), stream);
      },
      PREFIX_free,
      PREFIX_message,
      "cuda",
      nullptr};
  return &kernel;
}
