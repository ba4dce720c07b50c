// whole_counts: the counts of a sample as those of the whole matrix (runtime/device/whole_sizes.h).
//
//   sums, grids     Each is multiplied by the non-zeros of the whole over those of the sample.
//   L2              It is told the bytes of the whole, which it may not hold.
//   resident warps  They follow from the blocks of the whole.
//   x from DRAM     Each touched sector of the whole is read once, as far as the sample read x from
//                   DRAM at all. Repeated reads, and the share that L2 cannot keep, are multiplied.
//   longest warp    It is that of the sample. Where workers take whole rows, it is multiplied by
//                   the longest row of the whole over that of the sample.
//
// Example: a sample of 1 % launches 24 blocks, which fill 24 of 132 multiprocessors; its longest
// warp takes 5.5 us and its traffic 0.5 us. The whole launches 2,400 blocks, its longest warp takes
// 5.5 us too, and its traffic 47 us.
//
// The figures of large matrices agree with counts of the whole to some percent where rows of all
// lengths are in the sample, and less where rows are rare or giant.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/facts/store.h"
#include "runtime/device/whole_sizes.h"
#include "runtime/emulated/emulator/report.h"
#include "runtime/emulated/gpu_models.h"
#include "runtime/emulated/lower_bound.h"

namespace alphasparse {

/// The launches of the whole matrix and their counts, one each.
struct WholeCounts {
  std::vector<Launch> launches;
  std::vector<emulator::LaunchCounts> counts;
};

/// `counts[i]` are those of kernel.launches[i], a kernel of the sample, taken with the caches of
/// the whole.
WholeCounts whole_counts(const GpuModel& gpu, const Kernel& kernel,
                         std::vector<emulator::LaunchCounts> counts, const WholeSizes& whole);

/// The same of work that no run can do without. The longest thread stays that of the sample, so the
/// bound stays below the time.
LeastWork whole_work(LeastWork work, const Kernel& kernel, const WholeSizes& whole);

/// Whether the longest row tells the longest walk of a worker: a branch cuts rows into no units of
/// as many entries each.
bool walks_whole_rows(const std::vector<Store>& branches);

/// Bytes of the arrays and of the scratch memory that the whole would have, and of its vectors.
std::int64_t held_bytes(const Kernel& kernel, const WholeSizes& whole);

/// The time of the whole, from the counts of a sample.
Timing modelled_time(const GpuModel& gpu, const Kernel& kernel, const WholeCounts& whole);

}  // namespace alphasparse
