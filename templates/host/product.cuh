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
#ifdef ALPHASPARSE_KERNEL_VECTORS
  const DeviceVector x_device(spread(x)), y_device(spread(y_before));
  check_call(multiply_all(handle, x_device.data, y_device.data, alpha, beta, nullptr));
  check_cuda(cudaDeviceSynchronize(), "the kernel");
  std::vector<Value> rows(facts.rows * vectors);
  y_device.fetch(rows);
  return gathered(rows);
#else
  const DeviceVector x_device(x);
#ifdef ALPHASPARSE_KERNEL_OWN_ORDER
  const std::int32_t *rows = nullptr, *columns = nullptr;
  check_call(PREFIX_order(handle, &rows, &columns));
  std::vector<std::int32_t> indices(facts.rows);
  check_cuda(cudaMemcpy(indices.data(), rows, indices.size() * sizeof(std::int32_t),
                        cudaMemcpyDeviceToHost),
             "cudaMemcpy");
  std::vector<Value> own_y(facts.rows);
  for (std::size_t i = 0; i < indices.size(); ++i) own_y[i] = y_before[indices[i]];
  const DeviceVector own_x_device(x), own_y_device(own_y), y_device(y_before);
  check_call(PREFIX_to_own(handle, x_device.data, own_x_device.data, nullptr));
  check_call(PREFIX_interface()->spmv_scaled(handle, own_x_device.data, own_y_device.data, &alpha,
                                             &beta, nullptr));
  check_call(PREFIX_from_own(handle, y_device.data, own_y_device.data, nullptr));
#else
  const DeviceVector y_device(y_before);
  check_call(PREFIX_interface()->spmv_scaled(handle, x_device.data, y_device.data, &alpha, &beta,
                                             nullptr));
#endif
  check_cuda(cudaDeviceSynchronize(), "the kernel");
  std::vector<Value> y(facts.rows);
  y_device.fetch(y);
  return y;
#endif
}

}  // namespace alphasparse::host
