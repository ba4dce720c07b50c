// cuda_error: a refusal of CUDA, as an exception that names the call.
#pragma once
#include <cuda_runtime.h>

#include <string>

#include "templates/host/status.h"

namespace alphasparse::host {

struct CudaError : StatusError {
  explicit CudaError(const std::string& text) : StatusError(alphasparse_cuda_error, text) {}
};

inline void check_cuda(cudaError_t status, const char* call) {
  if (status != cudaSuccess) {
    throw CudaError(std::string(call) + ": " + cudaGetErrorString(status));
  }
}

}  // namespace alphasparse::host
