#include "runtime/emulated/whole_counts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "runtime/emulated/modelled_time.h"

namespace alphasparse {

namespace {

constexpr double x_sector_bytes = 32;  // of WholeSizes

std::int64_t scaled(std::int64_t count, double factor) {
  return std::llround(static_cast<double>(count) * factor);
}

/// Sectors of x that the whole reads from DRAM, where its sample reads so many.
std::int64_t x_from_dram(const GpuModel& gpu, std::int64_t of_sample, const WholeSizes& whole) {
  if (whole.times <= 1) return of_sample;  // the sample is the whole
  const auto read = static_cast<double>(of_sample);
  // Each slice of L2 meets all of x.
  const double fetched_once = gpu.l2_slices * x_sector_bytes / gpu.sector_bytes;
  const double touched = static_cast<double>(whole.x_sectors) * fetched_once;
  const double kept = static_cast<double>(l2_bytes_kept(gpu)) / gpu.sector_bytes;
  const double share_beyond_l2 = touched > 0 ? std::max(0.0, 1 - kept / touched) : 0;
  const double again =
      std::max(0.0, read - static_cast<double>(whole.sample_x_sectors) * fetched_once);
  return std::llround(std::max({std::min(touched, read * whole.times), again * whole.times,
                                read * whole.times * share_beyond_l2}));
}

void scale_sums(const GpuModel& gpu, emulator::LaunchCounts& counts, const WholeSizes& whole) {
  for (std::int64_t* const sum :
       {&counts.blocks, &counts.warps, &counts.basic_blocks, &counts.basic_block_lanes,
        &counts.memory_instructions, &counts.collectives, &counts.sectors, &counts.lines,
        &counts.l2_sectors, &counts.l2_scattered, &counts.touched_sectors, &counts.shared_passes,
        &counts.shared_instructions, &counts.shared_reads, &counts.atomic_lanes,
        &counts.atomic_passes, &counts.longest_begins})
    *sum = scaled(*sum, whole.times);
  counts.dram_sectors = 0;
  for (emulator::ArrayCounts& array : counts.arrays) {
    const std::int64_t from_dram = array.dram_sectors;
    for (std::int64_t* const sum : {&array.sectors, &array.instructions, &array.l2_sectors,
                                    &array.dram_sectors, &array.reads, &array.missed})
      *sum = scaled(*sum, whole.times);
    if (array.name == "x") array.dram_sectors = x_from_dram(gpu, from_dram, whole);
    counts.dram_sectors += array.dram_sectors;
  }
}

/// The warp that waits longest has a longer row in the whole.
void lengthen(emulator::LaunchCounts& counts, double longest_times) {
  counts.longest_block += scaled(counts.longest_basic_blocks, longest_times - 1);
  for (std::int64_t* const longest : {&counts.longest_warp, &counts.longest_collectives,
                                      &counts.longest_shared_reads, &counts.longest_basic_blocks})
    *longest = scaled(*longest, longest_times);
  for (emulator::ArrayCounts& array : counts.arrays) {
    array.longest_reads = scaled(array.longest_reads, longest_times);
    array.longest_missed = scaled(array.longest_missed, longest_times);
  }
}

}  // namespace

WholeCounts whole_counts(const GpuModel& gpu, const Kernel& kernel,
                         std::vector<emulator::LaunchCounts> counts, const WholeSizes& whole) {
  WholeCounts result{kernel.launches, std::move(counts)};
  for (Launch& launch : result.launches)
    launch.blocks = std::max<std::int64_t>(1, scaled(launch.blocks, whole.times));
  for (emulator::LaunchCounts& launch : result.counts) scale_sums(gpu, launch, whole);
  // Of several launches one has the longest row.
  const auto longest = std::max_element(
      result.counts.begin(), result.counts.end(),
      [](const auto& a, const auto& b) { return a.longest_warp < b.longest_warp; });
  if (longest != result.counts.end()) lengthen(*longest, whole.longest_times);
  return result;
}

LeastWork whole_work(LeastWork work, const Kernel& kernel, const WholeSizes& whole) {
  for (double* const sum : {&work.format_sectors, &work.y_sectors, &work.loads, &work.waits,
                            &work.basic_blocks, &work.atomics})
    *sum *= whole.times;
  work.blocks = scaled(work.blocks, whole.times);
  work.x_sectors = static_cast<double>(whole.x_sectors);
  work.held_bytes = held_bytes(kernel, whole);
  return work;
}

bool walks_whole_rows(const std::vector<Store>& branches) {
  return std::any_of(branches.begin(), branches.end(), [](const Store& store) {
    return std::none_of(store.levels().begin(), store.levels().end(), [](const LevelFacts& level) {
      return level.tiling == Tiling::nnz || level.tiling == Tiling::merge;
    });
  });
}

std::int64_t held_bytes(const Kernel& kernel, const WholeSizes& whole) {
  std::int64_t arrays = kernel.format_bytes();
  for (const Workspace& workspace : kernel.workspaces) arrays += workspace.bytes();
  return scaled(arrays, whole.times) +
         (whole.rows + whole.cols) * number_type(kernel.dtype).bytes * kernel.vectors;
}

Timing modelled_time(const GpuModel& gpu, const Kernel& kernel, const WholeCounts& whole) {
  return modelled_time(gpu, kernel, whole.launches, whole.counts);
}

}  // namespace alphasparse
