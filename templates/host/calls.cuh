// calls: the launches that the C functions for an SpMV share.
#pragma once
#include <cuda_runtime.h>

#include "templates/host/calls.h"
#include "templates/host/handle.cuh"
#include "templates/host/place_values.cuh"
#include "templates/host/status.h"

namespace alphasparse::host {

/// Queues y = beta * y.
inline cudaError_t launch_scale(Value* y, Value beta, cudaStream_t stream) {
  unsigned rows = static_cast<unsigned>(facts.rows);
  void* arguments[] = {&y, &rows, &beta};
  return cudaLaunchKernel(scale_y, (rows + place_threads - 1) / place_threads, place_threads,
                          arguments, 0, stream);
}

/// Queues one SpMV. Its arguments have been checked.
inline int run_spmv(const char* what, const Handle& handle, const Format& format, const Value* x,
                    const Output& out, cudaStream_t stream) {
  const OnDevice on(handle.device);
  cudaError_t status = on.status();
  if (status == cudaSuccess) {
    status =
        out.alpha == 0 ? launch_scale(out.y, out.beta, stream) : launch_all(format, x, out, stream);
  }
  if (status == cudaSuccess) return alphasparse_ok;
  return failed(alphasparse_cuda_error, what, cudaGetErrorString(status));
}

}  // namespace alphasparse::host
