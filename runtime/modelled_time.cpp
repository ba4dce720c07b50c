#include "runtime/modelled_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace alphasparse {

namespace {

constexpr double sector_bytes = 32;
constexpr double dram_efficiency = 0.90;    // assumed: 4.3 of 4.8 TB/s were once copied on an H200
constexpr double instructions_a_block = 6;  // assumed
constexpr double issue_a_cycle = 4;         // four schedulers a multiprocessor
constexpr double issue_efficiency = 0.60;   // assumed
constexpr double atomic_same_address_ns = 1;  // assumed
constexpr double memory_instruction_ns = 25;  // assumed: latency over the loads in flight

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

struct LaunchTime {
  double us = 0;
  double sectors = 0;
  double dram_sectors = 0;
};

LaunchTime launch_time(const GpuModel& gpu, const Kernel& kernel, const Launch& launch,
                       const emulator::LaunchCounts& counts) {
  const double scale = static_cast<double>(launch.blocks) / static_cast<double>(counts.blocks);
  const auto scaled = [scale](std::int64_t count) { return scale * static_cast<double>(count); };
  LaunchTime time;
  time.sectors = scaled(counts.sectors);
  time.dram_sectors = dram_sectors(gpu, kernel, counts, scale);
  const double cycles_per_us = gpu.clock_ghz * 1e3 * gpu.multiprocessors;
  const double l2_bytes_per_us = gpu.l2_gb_per_s * 1e3;

  const double dram =
      time.dram_sectors * sector_bytes / (gpu.dram_gb_per_s * 1e3 * dram_efficiency);
  const double l2 = scaled(counts.l2_sectors) * sector_bytes / l2_bytes_per_us;
  const double lsu = (std::max(scaled(counts.lines), time.sectors / 4) +
                      scaled(counts.shared_passes + counts.collectives)) /
                     cycles_per_us;
  const double issue = scaled(counts.basic_blocks) * instructions_a_block /
                       (cycles_per_us * issue_a_cycle * issue_efficiency);
  const double atomics = std::max(scaled(counts.atomic_lanes) * sector_bytes / l2_bytes_per_us,
                                  scaled(counts.atomic_hottest) * atomic_same_address_ns * 1e-3);
  const double resident = static_cast<double>(counts.resident_warps) * gpu.multiprocessors;
  const double latency = std::max(static_cast<double>(counts.longest_warp),
                                  scaled(counts.memory_instructions) / resident) *
                         memory_instruction_ns * 1e-3;
  time.us = gpu.launch_us + std::max({dram, l2, lsu, issue, atomics, latency});
  return time;
}

}  // namespace

bool holds_all(const GpuModel& gpu, const Kernel& kernel) {
  const std::int64_t vectors =
      (std::int64_t{kernel.rows} + kernel.cols) * dtype_bytes(kernel.dtype);
  std::int64_t scratch = 0;
  for (const Workspace& workspace : kernel.workspaces) scratch += workspace.bytes();
  return (kernel.format_bytes() + scratch + vectors) * 10 <= gpu.l2_bytes * 9;
}

Timing modelled_time(const GpuModel& gpu, const Kernel& kernel,
                     const std::vector<emulator::LaunchCounts>& launches) {
  Timing timing;
  double sectors = 0, dram = 0;
  std::int64_t blocks_ran = 0, blocks = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const LaunchTime time = launch_time(gpu, kernel, kernel.launches[i], launches[i]);
    timing.time_us += time.us;
    sectors += time.sectors;
    dram += time.dram_sectors;
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
