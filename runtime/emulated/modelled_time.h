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
// All multiprocessors are taken as equally busy: the constant `tail` says how much of the busiest
// one's surplus (LaunchWork::imbalance) lengthens lsu, issue and the queue, and is 0. The numbers
// above are those of model_constants.h; they and others not in the GPU's table are assumed.
// Nothing here was fitted to a GPU: differences under 20 % are ties.
#pragma once
#include <vector>

#include "generator/kernel.h"
#include "runtime/device/device.h"
#include "runtime/emulated/emulator/report.h"
#include "runtime/emulated/gpu_models.h"
#include "runtime/emulated/model_constants.h"

namespace alphasparse {

/// Whether the arrays, x and y lie in L2 together: they take at most 90 % of it.
bool holds_all(const GpuModel& gpu, const Kernel& kernel);

/// What one launch asks of the GPU, whatever the constants: counts of all its blocks.
struct LaunchWork {
  double sectors = 0;
  double dram_sectors = 0;
  double l2_sectors = 0;
  double lsu_cycles = 0;  ///< of one multiprocessor, all of it done there
  double basic_blocks = 0;
  double atomic_lanes = 0;
  double atomic_hottest = 0;
  double longest_warp = 0;         ///< memory instructions
  double queued_instructions = 0;  ///< memory instructions over all warps resident at once
  double imbalance = 1;            ///< basic blocks of the busiest multiprocessor over the mean
};

/// `launches[i]` are the counts of kernel.launches[i]. Where only a sample of a launch's blocks
/// ran, its counts stand for all of them: sums in proportion, the longest warp and block as they
/// are.
std::vector<LaunchWork> launch_works(const GpuModel& gpu, const Kernel& kernel,
                                     const std::vector<emulator::LaunchCounts>& launches);

/// What each limit alone would take of one launch.
ModelledLimits launch_limits(const GpuModel& gpu, const LaunchWork& work,
                             const ModelConstants& constants);

/// Time of one launch in us, its floor included.
double launch_time_us(const GpuModel& gpu, const LaunchWork& work, const ModelConstants& constants);

/// The time of all launches, from their counts as launch_works takes them.
Timing modelled_time(const GpuModel& gpu, const Kernel& kernel,
                     const std::vector<emulator::LaunchCounts>& launches,
                     const ModelConstants& constants = {});

}  // namespace alphasparse
