// modelled_time: the time that a GPU would need, from the emulator's counts.
//
// A launch takes the launch floor and the combined time of these limits: mostly the longest of
// them, somewhat more where others are near it (ModelConstants::limits_order).
//
//   dram      the bytes of DRAM sectors at 87 % of the peak bandwidth
//   l2        the bytes of sectors that missed L1: whole lines at L2's bandwidth, others at the
//             lower one of scattered x
//   lsu       one cycle of a multiprocessor for each two lines of an instruction, each 128 bytes of
//             sectors, each pass of a shared access, each shuffle, vote or barrier
//   issue     instructions_a_block of the GPU, 4 a cycle of a multiprocessor, at 60 %
//   atomics   L2 takes those of an instruction line by line, in passes of one operation for each
//             address: 0.026 ns a pass, and 1.25 ns more for each on the line that has most
//   latency   the time of the longest warp, from the launch of its block on, or the mean time of a
//             warp, as many times as there are more of them than are resident
//   blocks    launched one after the other, GpuModel::block_ns each; then the last one runs
//
// The time of a warp: each load has the latency of the memory that holds the last of its sectors.
// Values are loaded beside the data that leads to x, so that the longer of the two counts, and x
// behind it. Terms that load in flight together (Launch::in_flight) wait once, and so do reads of
// neighbours ahead of them. Beside that a warp takes 4 cycles for each of its instructions, which
// no other warp can shorten. Work is shared by the multiprocessors that have a block; of those all
// are taken as equally busy. The constant `tail` says how much of the busiest one's surplus
// (LaunchWork::imbalance) lengthens lsu, issue and the queue, and is 0.
//
// These are the constants of NVIDIA's GPUs. GPUs of AMD have others (GpuModel::constants) and
// larger sectors: whole lines of L1.
//
// Example: a thread with a row of 1000 entries, four in flight, on an H100. Its values and columns
// come from DRAM and x from L2: 250 * (338 + 142) ns and 1000 * 4 * 4 cycles, 128 us.
//
// How near such times come to measured ones is told by tools/comparison; differences under 20 % are
// ties.
#pragma once
#include <vector>

#include "generator/arrays/kernel.h"
#include "runtime/device/device.h"
#include "runtime/emulated/emulator/report.h"
#include "runtime/emulated/gpu_models.h"

namespace alphasparse {

/// Bytes of a kernel's arrays, its scratch memory, x and y.
std::int64_t held_bytes(const Kernel& kernel);

/// Whether so many bytes lie in L2 together, and those of x in each slice of it: they take at most
/// the share of it that keeps its rate.
bool holds_all(const GpuModel& gpu, std::int64_t bytes, std::int64_t x_bytes = 0);

/// Whether data that are not in L2 come from the cache behind it, which has held so many bytes
/// since the round before.
bool is_near(const GpuModel& gpu, std::int64_t bytes, CacheRegime regime);

/// Lines that L1 looks up in a cycle. Assumed, chosen by the times of gunrock/loops (Apache-2.0):
/// kernels of few blocks that gather take 1.5 to 2.5 times less than one line a cycle would say.
inline constexpr double l1_lines_a_cycle = 2;

/// Waits of a warp one after the other, by the place of the data that it waits for.
struct Waits {
  double l1 = 0;  ///< or anywhere on the multiprocessor
  double l2 = 0;
  double dram = 0;
};

/// The work of one launch for the GPU, with any constants: counts of all its blocks.
struct LaunchWork {
  double sectors = 0;
  double dram_sectors = 0;
  double l2_whole = 0;      ///< sectors of lines that L2 gives whole
  double l2_scattered = 0;  ///< the others
  double lsu_cycles = 0;    ///< of one multiprocessor, all of it done there
  double basic_blocks = 0;
  double atomic_passes = 0;
  double atomic_hottest = 0;        ///< the most of them on one line
  Waits longest;                    ///< of the warp that waits longest
  double longest_basic_blocks = 0;  ///< that it enters
  double longest_begins = 0;        ///< blocks that are launched before its own can begin
  Waits each;                       ///< of a warp, the mean of all
  double each_basic_blocks = 0;     ///< likewise
  double turns = 1;                 ///< all warps over those that are resident at once
  double blocks = 0;                ///< of the grid
  double busy = 1;                  ///< multiprocessors that have a block
  double imbalance = 1;             ///< basic blocks of the busiest multiprocessor over the mean
  bool is_near = false;             ///< data beyond L2 come from the cache behind it
};

/// `launches[i]` are the counts of kernel.launches[i]. Where only a sample of a launch's blocks
/// ran, its counts stand for all of them: sums in proportion, the longest warp and block as they
/// are.
std::vector<LaunchWork> launch_works(const GpuModel& gpu, const Kernel& kernel,
                                     const std::vector<emulator::LaunchCounts>& launches);

/// The time that each limit alone would take of one launch.
ModelledLimits launch_limits(const GpuModel& gpu, const LaunchWork& work,
                             const ModelConstants& constants);

/// Time of one launch in us, its floor included.
double launch_time_us(const GpuModel& gpu, const LaunchWork& work, const ModelConstants& constants);

/// The time of all launches by the GPU's constants, from their counts as launch_works takes them.
Timing modelled_time(const GpuModel& gpu, const Kernel& kernel,
                     const std::vector<emulator::LaunchCounts>& launches);

/// The time of other launches of the same kernel, from their counts: those of a larger matrix
/// (whole_counts.h).
Timing modelled_time(const GpuModel& gpu, const Kernel& kernel, const std::vector<Launch>& launches,
                     const std::vector<emulator::LaunchCounts>& counts);

}  // namespace alphasparse
