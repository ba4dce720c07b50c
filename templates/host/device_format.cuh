// device_format: a format that is held on a device, and the functions by which a kernel holds it.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>

#include "templates/host/facts.h"
#include "templates/host/message.h"

namespace alphasparse::host {

/// Arrays start at multiples of this many bytes: no load of a kernel is wider.
constexpr std::size_t array_alignment = 256;

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + array_alignment - 1) / array_alignment * array_alignment;
}

/// Makes a device current, and in the end the one again that was so before.
struct OnDevice {
  explicit OnDevice(int device) : status(cudaGetDevice(&before)) {
    if (status != cudaSuccess || before == device) return;
    status = cudaSetDevice(device);
    changed = status == cudaSuccess;
  }
  OnDevice(const OnDevice&) = delete;
  ~OnDevice() {
    if (changed) cudaSetDevice(before);
  }

  int before = 0;
  bool changed = false;
  cudaError_t status;
};

/// Arrays on a device, and the places that their values come from.
struct DeviceFormat;

/// Reads a format file, checks it against the facts, loads the kernels by `load_kernels`, and
/// copies the arrays to the current device. Fills `pointers`, those of the kernel's Format, with a
/// workspace of the format's own, and gives the device. Gives a status; after a failure
/// *held is as it was.
int hold_on_device(const char* path, const FormatFacts& facts, cudaError_t (*load_kernels)(),
                   void** pointers, int* device, DeviceFormat** held, Message& message);

/// Replaces the values by others of the host, which stand in canonical order and have the kernel's
/// type. Gives a status.
int replace_values(DeviceFormat& held, const char* what, const void* canonical, Message& message);

/// The same from the device, in the order of the stream.
int replace_values_on_device(DeviceFormat& held, const char* what, const void* canonical,
                             cudaStream_t stream, Message& message);

#ifndef ALPHASPARSE_KERNEL_VECTORS
/// Queues y = beta * y on the current device, for y and beta of the kernel's type.
cudaError_t launch_scale(const FormatFacts& facts, void* y, const void* beta, cudaStream_t stream);
#endif

/// Gives back the arrays; null is allowed.
void drop(DeviceFormat* held);

}  // namespace alphasparse::host
