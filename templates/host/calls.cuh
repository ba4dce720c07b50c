// calls: what the C functions have in common.
#pragma once
#include <cuda_runtime.h>

#include "templates/host/handle.cuh"
#include "templates/host/status.cuh"

namespace alphasparse::host {

/// Why a call's arguments are refused; null: they are well.
inline const char* why_refused(const alphasparse_handle* handle, bool has_pointers) {
  if (!handle || !has_pointers) return "a null pointer";
  return handle->kernel == &facts ? nullptr : "a handle of another kernel";
}

/// Queues one SpMV, whose arguments are well.
inline int run_spmv(const char* what, const Handle& handle, const Format& format, const Value* x,
                    const Output& out, cudaStream_t stream) {
  const OnDevice on(handle.device);
  cudaError_t status = on.status();
  if (status == cudaSuccess) status = launch_all(format, x, out, stream);
  if (status == cudaSuccess) return alphasparse_ok;
  return failed(alphasparse_cuda_error, what, cudaGetErrorString(status));
}

}  // namespace alphasparse::host
