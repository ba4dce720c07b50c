// product: one SpMV of vectors of the host, on the current device.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "templates/host/interface.cuh"
#include "templates/host/vectors.h"

namespace alphasparse::host {

/// A vector on the device.
struct DeviceVector {
  explicit DeviceVector(const std::vector<Value>& host) : bytes(host.size() * sizeof(Value)) {
    check_cuda(cudaMalloc(&data, bytes), "cudaMalloc");
    check_cuda(cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  DeviceVector(const DeviceVector&) = delete;
  ~DeviceVector() { cudaFree(data); }

  void fetch(std::vector<Value>& host) const {
    check_cuda(cudaMemcpy(host.data(), data, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  }

  Value* data = nullptr;
  std::size_t bytes;
};

inline std::vector<Value> product(const alphasparse_handle* handle, const std::vector<Value>& x,
                                  const std::vector<Value>& y_before, Value alpha, Value beta) {
  const DeviceVector x_device(x);
  const DeviceVector y_device(y_before);
  check_call(PREFIX_spmv(handle, x_device.data, y_device.data, alpha, beta, nullptr));
  check_cuda(cudaDeviceSynchronize(), "the kernel");
  std::vector<Value> y(facts.rows);
  y_device.fetch(y);
  return y;
}

}  // namespace alphasparse::host
