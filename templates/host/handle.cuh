// handle: a format on a device, and the scratch memory of its kernels.
#pragma once
#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "templates/host/any_handle.h"
#include "templates/host/cuda_error.cuh"
#include "templates/host/loader.h"
#include "templates/host/status.cuh"

namespace alphasparse::host {

static_assert(std::is_trivially_copyable_v<Format>);
constexpr std::size_t pointer_count = facts.array_count + facts.workspace_count;
static_assert(pointer_count == 0 || sizeof(Format) == pointer_count * sizeof(void*));

/// A format on the device that was current when it was loaded, and stays its device.
struct Handle : alphasparse_handle {
  Handle() : alphasparse_handle{&facts} {}

  int device = 0;
  Format format{};
  void* memory = nullptr;                          ///< every array of the format, and a workspace
  int* places = nullptr;                           ///< all `sources`, on the device; null: not yet
  std::vector<std::vector<std::int32_t>> sources;  ///< of each array; empty but for value arrays
  std::vector<std::vector<std::int32_t>> codes;    ///< of each array; empty but for dictionaries
  std::vector<std::int32_t> row_first, col;        ///< the pattern; only of a mirrored format
};

/// The pointers of Format, and one more, so that there is one.
using Pointers = std::array<void*, pointer_count + 1>;

inline Pointers pointers_of(const Format& format) {
  Pointers pointers{};
  if constexpr (pointer_count > 0) std::memcpy(pointers.data(), &format, sizeof format);
  return pointers;
}

inline Format format_of(const Pointers& pointers) {
  Format format{};
  if constexpr (pointer_count > 0) std::memcpy(&format, pointers.data(), sizeof format);
  return format;
}

/// Arrays start at multiples of this many bytes: no load of a kernel is wider.
constexpr std::size_t array_alignment = 256;

inline std::size_t aligned(std::size_t bytes) {
  return (bytes + array_alignment - 1) / array_alignment * array_alignment;
}

template <class Function>
void for_each_workspace(const Function& function) {
  const WorkspaceFacts* const end = facts.workspaces + facts.workspace_count;
  for (const WorkspaceFacts* scratch = facts.workspaces; scratch != end; ++scratch) {
    function(*scratch);
  }
}

/// Bytes of the workspace: all of the kernel's, one behind the other.
inline std::size_t workspace_bytes() {
  std::size_t bytes = 0;
  for_each_workspace([&](const WorkspaceFacts& scratch) { bytes += aligned(scratch.bytes); });
  return bytes;
}

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

/// The place of an array's pointer in Format.
inline std::size_t pointer_of_array(std::size_t array) {
  for_each_workspace([&](const WorkspaceFacts& scratch) { array += scratch.pointer <= array; });
  return array;
}

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
  handle.format = format_with(format_of(pointers), next);
  check_cuda(cudaStreamSynchronize(nullptr), "cudaMemcpy");  // other streams do not wait for it
}

/// Gives back what the handle holds, and the handle.
inline void release(Handle* handle) {
  const OnDevice on(handle->device);
  cudaFree(handle->memory);
  cudaFree(handle->places);
  delete handle;
}

}  // namespace alphasparse::host
