// handle: a format on a device, and the SpMVs that are queued with it.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <new>

#include "templates/host/any_handle.h"
#include "templates/host/calls.h"
#include "templates/host/device_format.cuh"

namespace alphasparse::host {

/// A format on the device that was current when it was loaded, and stays its device.
struct Handle : alphasparse_handle {
  Handle() : alphasparse_handle{&facts} {}
  Handle(const Handle&) = delete;
  ~Handle() { drop(held); }

  DeviceFormat* held = nullptr;
  int device = 0;
  Format format{};
};

/// A handle for a format file on the current device. Gives a status.
inline int open_handle(const char* path, Handle** opened) {
  Handle* const handle = new (std::nothrow) Handle();
  if (!handle) return failed(message(), alphasparse_no_memory, path, "out of host memory");
  void* pointers[pointer_count + 1] = {};
  const int status = hold_on_device(path, facts, load_kernels, pointers, &handle->device,
                                    &handle->held, message());
  if (pointer_count > 0) std::memcpy(&handle->format, pointers, sizeof handle->format);
  *opened = status == alphasparse_ok ? handle : nullptr;
  if (!*opened) delete handle;
  return status;
}

#ifndef ALPHASPARSE_KERNEL_VECTORS
/// The format with its scratch memory in `workspace`.
inline Format format_with(Format format, void* workspace) {
  void* pointers[pointer_count + 1] = {};
  std::memcpy(pointers, &format, sizeof format);
  char* next = static_cast<char*>(workspace);
  for_each_workspace(facts, [&](const WorkspaceFacts& scratch) {
    pointers[scratch.pointer] = next;
    next += aligned(scratch.bytes);
  });
  std::memcpy(&format, pointers, sizeof format);
  return format;
}

/// Queues one SpMV. Its arguments have been checked.
inline int run_spmv(const char* what, const Handle& handle, const Format& format, const void* x,
                    void* y, Value alpha, Value beta, cudaStream_t stream) {
  const OnDevice on(handle.device);
  const Output out{static_cast<Value*>(y), alpha, beta};
  cudaError_t status = on.status;
  if (status == cudaSuccess) {
    status = out.alpha == 0 ? launch_scale(facts, out.y, &out.beta, stream)
                            : launch_all(format, static_cast<const Value*>(x), out, stream);
  }
  if (status == cudaSuccess) return alphasparse_ok;
  return failed(message(), alphasparse_cuda_error, what, cudaGetErrorString(status));
}

#endif
}  // namespace alphasparse::host
