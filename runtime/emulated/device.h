// device: runs kernels without a GPU, and models the time that a named GPU would need. It compiles
// the same CUDA source by g++; every thread is a fiber, and every memory access is observed.
//
// A kernel with arrays of at most `observed_entries_max` entries each runs observed, whole, on
// every case: results, bounds, alignment, uninitialised reads, races, barriers. A larger one runs
// twice. For results in full it is built without hooks and runs on every case, and processes share
// its blocks (emulator/team.h). For everything else it runs observed on the first case, for a fixed
// sample of its blocks of about `observed_entries_max` entries in all. The sample is chunks of 8
// consecutive ones, evenly spread, the first and last chunk always among them. Counts for a
// modelled time come from such a sample too, there also where a launch has more threads than that.
// Timing::note says so.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/device/device.h"

namespace alphasparse {

inline constexpr std::int64_t observed_entries_max = 2'000'000;

/// The device "emulated:GPU"; `gpu` names a model of gpu_models.h. Throws Error (exit 2) where
/// there is no such model, and (exit 4), naming the package to install, where g++ or the emulator
/// is missing. `no_gpu_reason`: why it stands for a GPU that was asked for first (DeviceInfo).
std::unique_ptr<Device> open_emulated_device(const std::string& gpu,
                                             std::string no_gpu_reason = "");

}  // namespace alphasparse
