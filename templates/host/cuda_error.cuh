// cuda_error: a refusal of CUDA, as an exception that names the call.
#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace alphasparse::host {

struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check_cuda(cudaError_t status, const char* call) {
  if (status != cudaSuccess) {
    throw CudaError(std::string(call) + ": " + cudaGetErrorString(status));
  }
}

}  // namespace alphasparse::host
