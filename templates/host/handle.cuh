// handle: a format on a device, and the scratch memory of its kernels.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "templates/host/any_handle.h"
#include "templates/host/cuda_error.cuh"
#include "templates/host/loader.h"
#include "templates/host/pointers.h"
#include "templates/host/status.h"
#include "templates/host/values.h"

namespace alphasparse::host {

/// A format on the device that was current when it was loaded, and stays its device.
struct Handle : alphasparse_handle, HeldValues {
  Handle() : alphasparse_handle{&facts} {}

  int device = 0;
  Format format{};
  void* memory = nullptr;  ///< every array of the format, and a workspace
  int* places = nullptr;   ///< all `sources`, on the device; null: not yet
};

/// Arrays start at multiples of this many bytes: no load of a kernel is wider.
constexpr std::size_t array_alignment = 256;

inline std::size_t aligned(std::size_t bytes) {
  return (bytes + array_alignment - 1) / array_alignment * array_alignment;
}

/// Bytes of the workspace: all of the kernel's, one behind the other.
inline std::size_t workspace_bytes() {
  std::size_t bytes = 0;
  //[ scratch
  for_each_workspace([&](const WorkspaceFacts& scratch) { bytes += aligned(scratch.bytes); });
  //]
  return bytes;
}

//[ scratch
/// The format with its scratch memory in `workspace`.
inline Format format_with(const Format& format, void* workspace) {
  Pointers pointers = pointers_of(format);
  char* next = static_cast<char*>(workspace);
  for_each_workspace([&](const WorkspaceFacts& scratch) {
    pointers[scratch.pointer] = next;
    next += aligned(scratch.bytes);
  });
  return format_of(pointers);
}

//]
/// Copies the arrays into one allocation, leaves room there for a workspace, and points
/// handle.format at all of them.
inline void upload(const LoadedFormat& loaded, Handle& handle) {
  std::size_t bytes = array_alignment + workspace_bytes();
  for (const LoadedArray& array : loaded.arrays) bytes += aligned(array.bytes.size());
  check_cuda(cudaMalloc(&handle.memory, bytes), "cudaMalloc");
  Pointers pointers{};
  char* next = static_cast<char*>(handle.memory);
  for (std::size_t i = 0; i < loaded.arrays.size(); ++i) {
    const std::vector<unsigned char>& array = loaded.arrays[i].bytes;
    check_cuda(cudaMemcpy(next, array.data(), array.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    pointers[pointer_of_array(i)] = next;
    next += aligned(array.size());
  }
  handle.format = format_of(pointers);
  //[ scratch
  handle.format = format_with(handle.format, next);
  //]
  check_cuda(cudaStreamSynchronize(nullptr), "cudaMemcpy");  // other streams do not wait for it
}

/// Gives back the handle's memory, and the handle.
inline void release(Handle* handle) {
  const OnDevice on(handle->device);
  cudaFree(handle->memory);
  cudaFree(handle->places);
  delete handle;
}

}  // namespace alphasparse::host
