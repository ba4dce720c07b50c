// modelled_time: the time that a GPU would need, from what the emulator counted.
//
// A launch takes the launch floor and the longest of
//
//   dram      DRAM sectors * 32 bytes at 90 % of the peak bandwidth
//   l2        sectors that missed L1 * 32 bytes at L2's bandwidth: the ceiling of scattered x
//   lsu       one cycle of a multiprocessor for each line of an instruction, each four sectors,
//   each
//             pass of a shared access, each shuffle, vote or barrier
//   issue     6 instructions a basic block, 4 a cycle of a multiprocessor, at 60 %
//   atomics   one sector's bandwidth each; those on one address one after the other, 1 ns each
//   latency   25 ns a memory instruction of the longest warp, or of a multiprocessor's share of all
//             where more warps queue than are resident
//
// All multiprocessors are taken as equally busy. Numbers not in the GPU's table are assumed.
// Nothing here was fitted to a GPU: differences under 20 % are ties.
#pragma once
#include <vector>

#include "generator/kernel.h"
#include "runtime/device.h"
#include "runtime/emulator/report.h"
#include "runtime/gpu_models.h"

namespace alphasparse {

/// Whether the arrays, x and y lie in L2 together: they take at most 90 % of it.
bool holds_all(const GpuModel& gpu, const Kernel& kernel);

/// `launches[i]` are the counts of kernel.launches[i]. Where only a sample of a launch's blocks
/// ran, its counts stand for all of them: sums in proportion, the longest warp as it is.
Timing modelled_time(const GpuModel& gpu, const Kernel& kernel,
                     const std::vector<emulator::LaunchCounts>& launches);

}  // namespace alphasparse
