// device: a device in a process of its own. A kernel that faults, hangs or takes the process
// down loses its own run and nothing else: the next load starts another worker.
//
// The worker is a fork of this process, so it has the matrix and the code without copying either.
// The device is opened in it, and never here: neither a GPU's context nor a driver that was
// initialised survives a fork. It dies with the thread that started it.
#pragma once
#include <functional>
#include <memory>

#include "runtime/device/device.h"

namespace alphasparse {

/// How long a worker may take for one answer; then it is killed.
struct WorkerLimits {
  double load_seconds_max = 120;   ///< opening the device; compiling a kernel, copying its format
  double kernel_seconds_max = 20;  ///< all that is run or timed of a kernel at once
  double copied_bytes_per_second_min =
      100e6;  ///< of data to the device and back: it gets that long on top of either limit
  double end_seconds_max = 10;  ///< after it is killed; then it is left
};

/// The usual limits, with ALPHASPARSE_KERNEL_SECONDS in the place of kernel_seconds_max where it is
/// set. Throws Error (exit 2) where that is not a positive number.
WorkerLimits worker_limits();

using OpenDevice = std::function<std::unique_ptr<Device>()>;

/// Is told of a kernel that has ended a worker by an instruction that the processor does not have.
using IllegalInstruction = std::function<void(const Kernel&)>;

/// Starts a worker and opens the device there. Throws the Error that `open` throws.
///
/// A worker that ends, or that reports Status::crash (after which a GPU's context is of no use), is
/// followed by another one at the next load. Kernels that it had loaded answer Status::crash.
std::unique_ptr<Device> open_worker_device(OpenDevice open, const WorkerLimits& limits = {},
                                           IllegalInstruction illegal = {});

}  // namespace alphasparse
