// worker_device: a device in a process of its own. A kernel that faults, hangs or takes the process
// down loses its own run and nothing else: the next load starts another worker.
//
// The worker is a fork of this process, so it has the matrix and the code without copying either;
// the device is opened in it, and never here: neither a GPU's context nor a driver that was
// initialised survives a fork. It dies with the thread that started it.
#pragma once
#include <functional>
#include <memory>

#include "runtime/device.h"

namespace alphasparse {

struct WorkerLimits {
  double seconds_max = 120;  ///< for one load, run or timing; then the worker is killed
};

using OpenDevice = std::function<std::unique_ptr<Device>()>;

/// Starts a worker and opens the device there. Throws the Error that `open` throws.
///
/// A worker that ends, or that reports Status::crash (after which a GPU's context is of no use), is
/// followed by another one at the next load; kernels that it had loaded answer Status::crash.
std::unique_ptr<Device> open_worker_device(OpenDevice open, const WorkerLimits& limits = {});

}  // namespace alphasparse
