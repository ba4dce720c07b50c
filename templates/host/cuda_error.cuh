// cuda_error: a refusal of CUDA, as an exception that names the call; and the device of a call.
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

/// Makes a device current, and in the end the one again that was so before.
class OnDevice {
 public:
  explicit OnDevice(int device) : status_(cudaGetDevice(&before_)) {
    if (status_ != cudaSuccess || before_ == device) return;
    status_ = cudaSetDevice(device);
    changed_ = status_ == cudaSuccess;
  }
  OnDevice(const OnDevice&) = delete;
  ~OnDevice() {
    if (changed_) cudaSetDevice(before_);
  }

  cudaError_t status() const { return status_; }

 private:
  int before_ = 0;
  bool changed_ = false;
  cudaError_t status_;
};

}  // namespace alphasparse::host
