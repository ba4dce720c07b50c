#include "runtime/emulated/modelled_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace alphasparse {

namespace {

constexpr double sector_bytes = 32;
constexpr double issue_a_cycle = 4;  // four schedulers a multiprocessor

/// Of the arrays in the order of a report: behind the pointers of the format, x and y.
double array_bytes(const Kernel& kernel, std::size_t index) {
  const std::vector<FormatPointer> pointers = kernel.pointers();
  if (index < pointers.size()) {
    const FormatPointer& pointer = pointers[index];
    return pointer.workspace ? static_cast<double>(pointer.workspace->bytes())
                             : static_cast<double>(pointer.array->bytes.size());
  }
  const double elements = index == pointers.size() ? kernel.cols : kernel.rows;
  return elements * dtype_bytes(kernel.dtype);
}

/// Sectors that miss L2: an array that fits is not read twice, however its sample scales.
double dram_sectors(const GpuModel& gpu, const Kernel& kernel, const emulator::LaunchCounts& counts,
                    double scale) {
  if (scale == 1 || !holds_all(gpu, kernel)) {
    return scale * static_cast<double>(counts.dram_sectors);
  }
  double sum = 0;
  for (std::size_t i = 0; i < counts.arrays.size(); ++i) {
    const double scaled = scale * static_cast<double>(counts.arrays[i].dram_sectors);
    sum += std::min(scaled, std::ceil(array_bytes(kernel, i) / sector_bytes));
  }
  return sum;
}

/// The work of the multiprocessor with the most over the mean of all, at least: it has one block
/// more than others where they do not come out even, and the longest block lies on one of them.
double imbalance_of(const GpuModel& gpu, const Launch& launch,
                    const emulator::LaunchCounts& counts) {
  if (counts.basic_blocks == 0) return 1;
  const double blocks = static_cast<double>(launch.blocks);
  const double block =
      static_cast<double>(counts.basic_blocks) / static_cast<double>(counts.blocks);
  const double mean = block * blocks / gpu.multiprocessors;
  const double even = block * std::ceil(blocks / gpu.multiprocessors);
  return std::max({mean, even, static_cast<double>(counts.longest_block)}) / mean;
}

LaunchWork work_of(const GpuModel& gpu, const Kernel& kernel, const Launch& launch,
                   const emulator::LaunchCounts& counts) {
  const double scale = static_cast<double>(launch.blocks) / static_cast<double>(counts.blocks);
  const auto scaled = [scale](std::int64_t count) { return scale * static_cast<double>(count); };
  LaunchWork work;
  work.sectors = scaled(counts.sectors);
  work.dram_sectors = dram_sectors(gpu, kernel, counts, scale);
  work.l2_sectors = scaled(counts.l2_sectors);
  work.lsu_cycles = std::max(scaled(counts.lines), work.sectors / 4) +
                    scaled(counts.shared_passes + counts.collectives);
  work.basic_blocks = scaled(counts.basic_blocks);
  work.atomic_lanes = scaled(counts.atomic_lanes);
  work.atomic_hottest = scaled(counts.atomic_hottest);
  work.longest_warp = static_cast<double>(counts.longest_warp);
  const double resident = static_cast<double>(counts.resident_warps) * gpu.multiprocessors;
  work.queued_instructions = scaled(counts.memory_instructions) / resident;
  work.imbalance = imbalance_of(gpu, launch, counts);
  return work;
}

}  // namespace

bool holds_all(const GpuModel& gpu, const Kernel& kernel) {
  const std::int64_t vectors =
      (std::int64_t{kernel.rows} + kernel.cols) * dtype_bytes(kernel.dtype);
  std::int64_t scratch = 0;
  for (const Workspace& workspace : kernel.workspaces) scratch += workspace.bytes();
  return (kernel.format_bytes() + scratch + vectors) * 10 <= gpu.l2_bytes * 9;
}

std::vector<LaunchWork> launch_works(const GpuModel& gpu, const Kernel& kernel,
                                     const std::vector<emulator::LaunchCounts>& launches) {
  std::vector<LaunchWork> works;
  for (std::size_t i = 0; i < launches.size(); ++i)
    works.push_back(work_of(gpu, kernel, kernel.launches[i], launches[i]));
  return works;
}

ModelledLimits launch_limits(const GpuModel& gpu, const LaunchWork& work,
                             const ModelConstants& constants) {
  const double cycles_per_us = gpu.clock_ghz * 1e3 * gpu.multiprocessors;
  const double l2_bytes_per_us = gpu.l2_gb_per_s * 1e3 * constants.l2_efficiency;
  const double busiest = 1 + constants.tail * (work.imbalance - 1);
  ModelledLimits limits;
  limits.launch_us = gpu.launch_us * constants.launch_scale;
  limits.dram_us =
      work.dram_sectors * sector_bytes / (gpu.dram_gb_per_s * 1e3 * constants.dram_efficiency);
  limits.l2_us = work.l2_sectors * sector_bytes / l2_bytes_per_us;
  limits.lsu_us = work.lsu_cycles / cycles_per_us * busiest;
  limits.issue_us = work.basic_blocks * constants.instructions_a_block /
                    (cycles_per_us * issue_a_cycle * constants.issue_efficiency) * busiest;
  limits.atomics_us = std::max(work.atomic_lanes * sector_bytes / l2_bytes_per_us,
                               work.atomic_hottest * constants.atomic_same_address_ns * 1e-3);
  limits.longest_warp_us = work.longest_warp * constants.longest_warp_ns * 1e-3;
  limits.queue_us = work.queued_instructions * constants.queued_ns * busiest * 1e-3;
  return limits;
}

double launch_time_us(const GpuModel& gpu, const LaunchWork& work,
                      const ModelConstants& constants) {
  const ModelledLimits limits = launch_limits(gpu, work, constants);
  return limits.launch_us + std::max({limits.dram_us, limits.l2_us, limits.lsu_us, limits.issue_us,
                                      limits.atomics_us, limits.longest_warp_us, limits.queue_us});
}

namespace {

void add(ModelledLimits& sum, const ModelledLimits& launch) {
  sum.launch_us += launch.launch_us;
  sum.dram_us += launch.dram_us;
  sum.l2_us += launch.l2_us;
  sum.lsu_us += launch.lsu_us;
  sum.issue_us += launch.issue_us;
  sum.atomics_us += launch.atomics_us;
  sum.longest_warp_us += launch.longest_warp_us;
  sum.queue_us += launch.queue_us;
}

}  // namespace

Timing modelled_time(const GpuModel& gpu, const Kernel& kernel,
                     const std::vector<emulator::LaunchCounts>& launches,
                     const ModelConstants& constants) {
  Timing timing;
  double sectors = 0, dram = 0;
  ModelledLimits& limits = timing.limits.emplace();
  for (const LaunchWork& work : launch_works(gpu, kernel, launches)) {
    timing.time_us += launch_time_us(gpu, work, constants);
    add(limits, launch_limits(gpu, work, constants));
    sectors += work.sectors;
    dram += work.dram_sectors;
  }
  std::int64_t blocks_ran = 0, blocks = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    blocks_ran += launches[i].blocks;
    blocks += kernel.launches[i].blocks;
  }
  timing.time_us_p20 = timing.time_us_p80 = timing.time_us;
  timing.sectors = std::llround(sectors);
  timing.dram_bytes = std::llround(dram) * static_cast<std::int64_t>(sector_bytes);
  if (blocks_ran < blocks)
    timing.note = fmt::format("counts from {} of {} blocks", blocks_ran, blocks);
  return timing;
}

}  // namespace alphasparse
