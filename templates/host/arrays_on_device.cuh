// arrays_on_device: the arrays of a format file on a device, in one allocation with a workspace,
// and other values for them, from the host or from the device.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "templates/host/cuda_error.cuh"
#include "templates/host/device_format.cuh"
#include "templates/host/gather_values.cuh"
#include "templates/host/loader.h"
#include "templates/host/values.h"

namespace alphasparse::host {

struct DeviceFormat : HeldValues {
  using HeldValues::HeldValues;
  DeviceFormat(const DeviceFormat&) = delete;
  ~DeviceFormat() {
    const OnDevice on(device);
    cudaFree(memory);
    cudaFree(indices);
  }

  int device = 0;
  std::vector<void*> arrays;  ///< the facts' arrays
  void* memory = nullptr;     ///< every array of the format, and a workspace
  int* indices = nullptr;     ///< all `sources`, on the device; null: not yet
};

/// Copies the arrays into one allocation and leaves room there for a workspace; gives the pointers
/// of the kernel's Format.
inline void upload(const LoadedFormat& loaded, void** pointers, DeviceFormat& held) {
  std::size_t bytes = array_alignment + held.facts.workspace_bytes;
  for (const LoadedArray& array : loaded.arrays) bytes += aligned(array.bytes.size());
  check_cuda(cudaMalloc(&held.memory, bytes), "cudaMalloc");
  char* next = static_cast<char*>(held.memory);
  for (std::size_t i = 0; i < loaded.arrays.size(); ++i) {
    const std::vector<unsigned char>& array = loaded.arrays[i].bytes;
    check_cuda(cudaMemcpy(next, array.data(), array.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    held.arrays.push_back(next);
    pointers[pointer_of_array(held.facts, i)] = next;
    next += aligned(array.size());
  }
  for_each_workspace(held.facts, [&](const WorkspaceFacts& scratch) {
    pointers[scratch.pointer] = next;
    next += aligned(scratch.bytes);
  });
  check_cuda(cudaStreamSynchronize(nullptr), "cudaMemcpy");  // other streams do not wait for it
}

int hold_on_device(const char* path, const FormatFacts& facts, cudaError_t (*load_kernels)(),
                   void** pointers, int* device, DeviceFormat** held, Message& message) {
  return guarded(message, path, [&] {
    LoadedFormat loaded = load_format(path, facts, false);
    check_cuda(load_kernels(), "loading the kernels");
    check_cuda(cudaGetDevice(device), "cudaGetDevice");
    auto made = std::make_unique<DeviceFormat>(facts, loaded);
    made->device = *device;
    upload(loaded, pointers, *made);
    *held = made.release();
  });
}

int replace_values(DeviceFormat& held, const char* what, const void* canonical, Message& message) {
  return guarded(message, what, [&] {
    const OnDevice on(held.device);
    check_cuda(on.status, "cudaSetDevice");
    const auto store = [&](std::size_t i, const std::vector<unsigned char>& stored) {
      check_cuda(cudaMemcpy(held.arrays[i], stored.data(), stored.size(), cudaMemcpyHostToDevice),
                 "cudaMemcpy");
    };
    with_number(held.facts,
                [&](auto zero) { replace_values<decltype(zero)>(held, canonical, store); });
    check_cuda(cudaStreamSynchronize(nullptr), "cudaMemcpy");  // other streams do not wait for it
  });
}

#ifndef ALPHASPARSE_PLAIN_VALUES
/// Why the host must look at values before the format holds them; null: it need not.
inline const char* why_only_from_host(const FormatFacts& facts) {
  for (std::size_t i = 0; i < facts.array_count; ++i) {
    if (facts.arrays[i].dictionary) return "the format codes values";
    if (holds_floats(facts, i)) return "the format holds values as float";
  }
  return facts.mirror != Mirror::none ? "the format holds one triangle" : nullptr;
}

#endif
/// Leaves the places of all entries on the device.
inline void upload_indices(DeviceFormat& held) {
  std::vector<std::int32_t> indices;
  for (const std::vector<std::int32_t>& source : held.sources) {
    indices.insert(indices.end(), source.begin(), source.end());
  }
  const std::size_t bytes = indices.size() * sizeof(std::int32_t);
  check_cuda(cudaMalloc(&held.indices, bytes), "cudaMalloc");
  cudaError_t status = cudaMemcpy(held.indices, indices.data(), bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaStreamSynchronize(nullptr);
  if (status == cudaSuccess) return;
  cudaFree(held.indices);
  held.indices = nullptr;
  check_cuda(status, "cudaMemcpy");
}

template <class Number>
void gather_arrays(DeviceFormat& held, const Number* canonical, cudaStream_t stream) {
  const int* indices = held.indices;
  for (std::size_t i = 0; i < held.sources.size(); ++i) {
    unsigned count = static_cast<unsigned>(held.sources[i].size());
    if (count == 0) continue;
    Number* stored = static_cast<Number*>(held.arrays[i]);
    void* arguments[] = {&stored, &indices, &count, &canonical};
    const unsigned blocks = (count + block_threads - 1) / block_threads;
    check_cuda(cudaLaunchKernel(gather_values<Number>, blocks, block_threads, arguments, 0, stream),
               "gather_values");
    indices += count;
  }
}

int replace_values_on_device(DeviceFormat& held, const char* what, const void* canonical,
                             cudaStream_t stream, Message& message) {
  return guarded(message, what, [&] {
    const FormatFacts& facts = held.facts;
    if (facts.nnz == 0) return;
    if (!holds_values(held)) {
      throw StatusError(alphasparse_not_representable, "the values are part of the kernel");
    }
#ifndef ALPHASPARSE_PLAIN_VALUES
    if (const char* const why = why_only_from_host(facts)) {
      throw StatusError(alphasparse_only_from_host, std::string(why) + "; " + facts.prefix +
                                                        "_update_values takes them from the host");
    }
#endif
    const OnDevice on(held.device);
    check_cuda(on.status, "cudaSetDevice");
    if (!held.indices) upload_indices(held);
    with_number(facts, [&](auto zero) {
      gather_arrays(held, static_cast<const decltype(zero)*>(canonical), stream);
    });
  });
}

#ifndef ALPHASPARSE_KERNEL_VECTORS
cudaError_t launch_scale(const FormatFacts& facts, void* y, const void* beta, cudaStream_t stream) {
  const auto launch = [&](auto factor) {
    auto* numbers = static_cast<decltype(factor)*>(y);
    unsigned rows = static_cast<unsigned>(facts.rows);
    std::memcpy(&factor, beta, sizeof factor);
    void* arguments[] = {&numbers, &rows, &factor};
    return cudaLaunchKernel(scale_y<decltype(factor)>, (rows + block_threads - 1) / block_threads,
                            block_threads, arguments, 0, stream);
  };
#ifndef ALPHASPARSE_STANDALONE
  return with_number(facts, facts.dtype[0] == 'c', launch);
#else
#ifdef ALPHASPARSE_REAL_KERNEL
  return with_number(facts, launch);
#else
  return launch(Value(0));
#endif
#endif
}

#endif
void drop(DeviceFormat* held) { delete held; }

}  // namespace alphasparse::host
