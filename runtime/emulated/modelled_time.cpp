#include "runtime/emulated/modelled_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace alphasparse {

namespace {

constexpr double sector_bytes = 32;
constexpr double issue_a_cycle = 4;       // four schedulers a multiprocessor
constexpr double l1_sectors_a_cycle = 4;  // 128 bytes

/// Whether a load of this array, in the order of a report, waits for no other: values are loaded
/// beside the columns.
bool is_beside(const std::vector<FormatPointer>& pointers, std::size_t index) {
  return index < pointers.size() && pointers[index].array && pointers[index].array->is_value();
}

double ns_of(const GpuModel& gpu, const Waits& waits) {
  return waits.l1 * gpu.l1_ns + waits.l2 * gpu.l2_ns + waits.dram * gpu.dram_ns;
}

/// Of instructions that read an array, `missed` of them beyond L1: where they hit. An instruction
/// waits for the last of its sectors.
Waits waits_of(const emulator::ArrayCounts& array, std::int64_t reads, std::int64_t missed) {
  const double from_dram = array.missed == 0
                               ? 0
                               : std::min(1.0, static_cast<double>(array.dram_sectors) /
                                                   static_cast<double>(array.missed));
  const auto beyond = static_cast<double>(missed);
  return {static_cast<double>(reads - missed), beyond * (1 - from_dram), beyond * from_dram};
}

void add(Waits& sum, const Waits& more) {
  sum.l1 += more.l1;
  sum.l2 += more.l2;
  sum.dram += more.dram;
}

/// What a thread waits for, of what it waits for term by term: full batches of terms wait once,
/// those behind the last one by one.
double rounds_share(double terms, int in_flight) {
  if (terms < 1) return 1;
  const double batches = std::floor(terms / in_flight);
  return (batches + terms - batches * in_flight) / terms;
}

/// Dependent waits of `warps` warps, of all or of the longest one: values beside all that leads to
/// x, then x, then what the multiprocessor itself does.
Waits chain_of(const GpuModel& gpu, const Kernel& kernel, const emulator::LaunchCounts& counts,
               std::int64_t emulator::ArrayCounts::*reads,
               std::int64_t emulator::ArrayCounts::*missed, double warps, int in_flight) {
  const std::vector<FormatPointer> pointers = kernel.pointers();
  Waits beside, leading, x;
  for (std::size_t i = 0; i < counts.arrays.size(); ++i) {
    const emulator::ArrayCounts& array = counts.arrays[i];
    Waits& part = is_beside(pointers, i) ? beside : i < pointers.size() ? leading : x;
    add(part, waits_of(array, array.*reads, array.*missed));
  }
  Waits chain = ns_of(gpu, beside) > ns_of(gpu, leading) ? beside : leading;
  add(chain, x);
  const double terms = x.l1 + x.l2 + x.dram;
  const double share = rounds_share(terms / std::max(1.0, warps), in_flight);
  return {chain.l1 * share, chain.l2 * share, chain.dram * share};
}

/// The work of the multiprocessor with the most over the mean of all, at least: it has one block
/// more than others where they do not come out even, and the longest block lies on one of them.
double imbalance_of(const GpuModel& gpu, const Launch& launch,
                    const emulator::LaunchCounts& counts) {
  if (counts.basic_blocks == 0) return 1;
  const double blocks = static_cast<double>(launch.blocks);
  const double block = static_cast<double>(counts.basic_blocks) / blocks;
  const double mean = block * blocks / gpu.multiprocessors;
  const double even = block * std::ceil(blocks / gpu.multiprocessors);
  return std::max({mean, even, static_cast<double>(counts.longest_block)}) / mean;
}

LaunchWork work_of(const GpuModel& gpu, const Kernel& kernel, const Launch& launch,
                   const emulator::LaunchCounts& counts) {
  using Array = emulator::ArrayCounts;
  LaunchWork work;
  work.sectors = static_cast<double>(counts.sectors);
  work.dram_sectors = static_cast<double>(counts.dram_sectors);
  // No block reads less than what all read together.
  const auto missed = static_cast<double>(counts.l2_sectors);
  const double l2_sectors = std::max(missed, static_cast<double>(counts.touched_sectors));
  const double scattered = missed == 0 ? 0 : static_cast<double>(counts.l2_scattered) / missed;
  work.l2_scattered = scattered * l2_sectors;
  work.l2_whole = l2_sectors - work.l2_scattered;
  work.lsu_cycles = std::max(static_cast<double>(counts.lines) / l1_lines_a_cycle,
                             work.sectors / l1_sectors_a_cycle) +
                    static_cast<double>(counts.shared_passes + counts.collectives);
  work.basic_blocks = static_cast<double>(counts.basic_blocks);
  work.atomic_lanes = static_cast<double>(counts.atomic_lanes);
  work.atomic_hottest = static_cast<double>(counts.atomic_hottest);
  work.longest = chain_of(gpu, kernel, counts, &Array::longest_reads, &Array::longest_missed, 1,
                          launch.terms_in_flight);
  work.longest.l1 += static_cast<double>(counts.longest_on_chip);
  const auto warps = static_cast<double>(counts.warps);
  const double slots = std::max(
      1.0, std::min(warps, static_cast<double>(counts.resident_warps) * gpu.multiprocessors));
  Waits all =
      chain_of(gpu, kernel, counts, &Array::reads, &Array::missed, warps, launch.terms_in_flight);
  all.l1 += static_cast<double>(counts.shared_instructions + counts.collectives);
  work.queued = {all.l1 / slots, all.l2 / slots, all.dram / slots};
  work.busy = static_cast<double>(std::min<std::int64_t>(launch.blocks, gpu.multiprocessors));
  work.imbalance = imbalance_of(gpu, launch, counts);
  return work;
}

}  // namespace

std::int64_t held_bytes(const Kernel& kernel) {
  const std::int64_t vectors =
      (std::int64_t{kernel.rows} + kernel.cols) * dtype_bytes(kernel.dtype);
  std::int64_t scratch = 0;
  for (const Workspace& workspace : kernel.workspaces) scratch += workspace.bytes();
  return kernel.format_bytes() + scratch + vectors;
}

bool holds_all(const GpuModel& gpu, std::int64_t bytes) { return bytes <= l2_bytes_kept(gpu); }

std::vector<LaunchWork> launch_works(const GpuModel& gpu, const Kernel& kernel,
                                     const std::vector<emulator::LaunchCounts>& launches) {
  std::vector<LaunchWork> works;
  for (std::size_t i = 0; i < launches.size(); ++i)
    works.push_back(work_of(gpu, kernel, kernel.launches[i], launches[i]));
  return works;
}

ModelledLimits launch_limits(const GpuModel& gpu, const LaunchWork& work,
                             const ModelConstants& constants) {
  const double cycles_per_us = gpu.clock_ghz * 1e3 * work.busy;
  const double l2_scale = 1e3 * constants.l2_efficiency;
  const double busiest = 1 + constants.tail * (work.imbalance - 1);
  ModelledLimits limits;
  limits.launch_us = gpu.launch_us * constants.launch_scale;
  limits.dram_us =
      work.dram_sectors * sector_bytes / (gpu.dram_gb_per_s * 1e3 * constants.dram_efficiency);
  limits.l2_us = work.l2_whole * sector_bytes / (gpu.l2_gb_per_s * l2_scale) +
                 work.l2_scattered * sector_bytes / (gpu.l2_scattered_gb_per_s * l2_scale);
  limits.lsu_us = work.lsu_cycles / cycles_per_us * busiest;
  limits.issue_us = work.basic_blocks * constants.instructions_a_block /
                    (cycles_per_us * issue_a_cycle * constants.issue_efficiency) * busiest;
  limits.atomics_us =
      std::max(work.atomic_lanes * sector_bytes / (gpu.l2_scattered_gb_per_s * l2_scale),
               work.atomic_hottest * constants.atomic_same_address_ns * 1e-3);
  limits.longest_warp_us = ns_of(gpu, work.longest) * constants.longest_scale * 1e-3;
  limits.queue_us = ns_of(gpu, work.queued) * constants.queued_scale * busiest * 1e-3;
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
