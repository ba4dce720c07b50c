#include "runtime/emulated/modelled_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "generator/arrays/fragment.h"

namespace alphasparse {

namespace {

constexpr std::int64_t reported_sector_bytes = 32;  // Timing::sectors, of any GPU
constexpr int warp_threads = 32;
// The blocks of the kernel that measures the launch floor: 4096 elements in blocks of 256 threads.
constexpr double floor_blocks = 17;

/// Whether a load of this array, in the order of a report, waits for no other: values are loaded
/// beside the columns.
bool is_beside(const std::vector<FormatPointer>& pointers, std::size_t index) {
  return index < pointers.size() && pointers[index].array && pointers[index].array->is_value();
}

double sum_ns(const GpuModel& gpu, const Waits& waits) {
  return waits.l1 * gpu.l1_ns + waits.l2 * gpu.l2_ns + waits.dram * gpu.dram_ns;
}

/// The waits of instructions that read an array, by the place where they hit; `missed` of them go
/// beyond L1. An instruction waits for the last of its sectors.
Waits find_waits(const emulator::ArrayCounts& array, std::int64_t reads, std::int64_t missed) {
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

/// The share of its term-by-term waits that a thread pays: full batches of terms wait once,
/// those behind the last one by one or once.
double rounds_share(double terms, const InFlight& in_flight) {
  if (terms < 1) return 1;
  const double full = std::floor(terms / in_flight.terms), rest = terms - full * in_flight.terms;
  return (full + (in_flight.rest ? std::min(1.0, rest) : rest)) / terms;
}

/// The counts of all warps of a launch, or of its longest warp.
struct Walkers {
  std::int64_t emulator::ArrayCounts::*reads;
  std::int64_t emulator::ArrayCounts::*missed;
  double warps;
};

/// An array that is read less than half as often as x is not read term by term. Each thread asks
/// for its neighbouring entries together: where a row begins and ends.
bool is_ahead(double reads, double terms) { return 2 * reads < terms; }

void scale(Waits& waits, double factor) {
  waits = {waits.l1 * factor, waits.l2 * factor, waits.dram * factor};
}

/// Shared memory is read in loops that are unrolled as those over terms are; writes to it cause no
/// wait.
double on_chip_waits(const Kernel& kernel, std::int64_t collectives, std::int64_t reads,
                     double warps) {
  const auto all = static_cast<double>(reads);
  return static_cast<double>(collectives) +
         all * rounds_share(all / warps, {unrolled_terms(kernel.dialect)});
}

/// Dependent waits: for arrays that are read ahead of the terms, then for values beside all that
/// leads to x, then for x.
Waits sum_waits(const GpuModel& gpu, const Kernel& kernel, const Launch& launch,
                const emulator::LaunchCounts& counts, const Walkers& walkers) {
  const std::vector<FormatPointer> pointers = kernel.pointers();
  Waits ahead, values, leading, x;
  double terms = 0;
  for (std::size_t i = pointers.size(); i < counts.arrays.size(); ++i)
    terms += static_cast<double>(counts.arrays[i].*walkers.reads);
  for (std::size_t i = 0; i < counts.arrays.size(); ++i) {
    const emulator::ArrayCounts& array = counts.arrays[i];
    const auto reads = static_cast<double>(array.*walkers.reads);
    Waits waits = find_waits(array, array.*walkers.reads, array.*walkers.missed);
    if (i >= pointers.size()) {
      add(x, waits);
    } else if (is_beside(pointers, i)) {
      // The waits of a dense block's rows, which share its x, are in flight together.
      scale(waits, std::min(1.0, terms / std::max(1.0, reads)));
      add(values, waits);
    } else if (is_ahead(reads, terms)) {
      scale(waits, std::min(1.0, walkers.warps / std::max(1.0, reads)));
      add(ahead, waits);
    } else {
      add(leading, waits);
    }
  }
  Waits& rival = launch.values_wait ? x : leading;
  if (sum_ns(gpu, values) > sum_ns(gpu, rival)) rival = values;
  Waits chain = leading;
  add(chain, x);
  scale(chain, rounds_share(terms / walkers.warps, launch.in_flight));
  add(chain, ahead);
  return chain;
}

/// The least ratio of the busiest multiprocessor's work to the mean of all. It has one block more
/// than others where blocks do not come out even, and the longest block lies on one of them.
double find_imbalance(const GpuModel& gpu, const Launch& launch,
                      const emulator::LaunchCounts& counts) {
  if (counts.basic_blocks == 0) return 1;
  const double blocks = static_cast<double>(launch.blocks);
  const double block = static_cast<double>(counts.basic_blocks) / blocks;
  const double mean = block * blocks / gpu.multiprocessors;
  const double even = block * std::ceil(blocks / gpu.multiprocessors);
  return std::max({mean, even, static_cast<double>(counts.longest_block)}) / mean;
}

/// The waits of warps, and the time when they may begin.
void add_waits(const GpuModel& gpu, const Kernel& kernel, const Launch& launch,
               const emulator::LaunchCounts& counts, LaunchWork& work) {
  using Array = emulator::ArrayCounts;
  work.longest =
      sum_waits(gpu, kernel, launch, counts, {&Array::longest_reads, &Array::longest_missed, 1});
  work.longest.l1 +=
      on_chip_waits(kernel, counts.longest_collectives, counts.longest_shared_reads, 1);
  work.longest_basic_blocks = static_cast<double>(counts.longest_basic_blocks);
  const double warps = std::max(1.0, static_cast<double>(counts.warps));
  const double slots = std::max(
      1.0, std::min(warps, static_cast<double>(counts.resident_warps) * gpu.multiprocessors));
  work.turns = warps / slots;
  work.each = sum_waits(gpu, kernel, launch, counts, {&Array::reads, &Array::missed, warps});
  work.each.l1 += on_chip_waits(kernel, counts.collectives, counts.shared_reads, warps);
  scale(work.each, 1 / warps);
  work.each_basic_blocks = static_cast<double>(counts.basic_blocks) / warps;
  // Blocks behind those that fill the GPU begin where others end.
  const double filling = slots * warp_threads / std::max(warp_threads, launch.threads);
  work.blocks = static_cast<double>(launch.blocks);
  work.longest_begins = std::min(static_cast<double>(counts.longest_begins), filling);
}

LaunchWork count_work(const GpuModel& model, const Kernel& kernel, const Launch& launch,
                      const emulator::LaunchCounts& counts) {
  const GpuModel gpu = with_memory(model, counts.is_near);
  LaunchWork work;
  work.is_near = counts.is_near;
  work.sectors = static_cast<double>(counts.sectors);
  work.dram_sectors = static_cast<double>(counts.dram_sectors);
  // The blocks together read at least the sectors that any of them touches.
  const auto missed = static_cast<double>(counts.l2_sectors);
  const double l2_sectors = std::max(missed, static_cast<double>(counts.touched_sectors));
  const double scattered = missed == 0 ? 0 : static_cast<double>(counts.l2_scattered) / missed;
  work.l2_scattered = scattered * l2_sectors;
  work.l2_whole = l2_sectors - work.l2_scattered;
  work.lsu_cycles = std::max(static_cast<double>(counts.lines) / l1_lines_a_cycle,
                             work.sectors * gpu.sector_bytes / gpu.l1_bytes_a_cycle) +
                    static_cast<double>(counts.shared_passes + counts.collectives);
  work.basic_blocks = static_cast<double>(counts.basic_blocks);
  work.atomic_passes = static_cast<double>(counts.atomic_passes);
  work.atomic_hottest = static_cast<double>(counts.atomic_hottest);
  add_waits(gpu, kernel, launch, counts, work);
  work.busy = static_cast<double>(std::min<std::int64_t>(launch.blocks, gpu.multiprocessors));
  work.imbalance = find_imbalance(gpu, launch, counts);
  return work;
}

}  // namespace

std::int64_t held_bytes(const Kernel& kernel) {
  const std::int64_t vectors =
      (std::int64_t{kernel.rows} + kernel.cols) * number_type(kernel.dtype).bytes * kernel.vectors;
  std::int64_t scratch = 0;
  for (const Workspace& workspace : kernel.workspaces) scratch += workspace.bytes();
  return kernel.format_bytes() + scratch + vectors;
}

bool holds_all(const GpuModel& gpu, std::int64_t bytes, std::int64_t x_bytes) {
  return bytes + (gpu.l2_slices - 1) * x_bytes <= l2_bytes_kept(gpu);
}

bool is_near(const GpuModel& gpu, std::int64_t bytes, CacheRegime regime) {
  return regime == CacheRegime::warm &&
         static_cast<double>(bytes) <= gpu.l2_kept * static_cast<double>(gpu.near_bytes);
}

std::vector<LaunchWork> launch_works(const GpuModel& gpu, const Kernel& kernel,
                                     const std::vector<emulator::LaunchCounts>& launches) {
  std::vector<LaunchWork> works;
  for (std::size_t i = 0; i < launches.size(); ++i)
    works.push_back(count_work(gpu, kernel, kernel.launches[i], launches[i]));
  return works;
}

ModelledLimits launch_limits(const GpuModel& model, const LaunchWork& work,
                             const ModelConstants& constants) {
  const GpuModel gpu = with_memory(model, work.is_near);
  const double bytes_of_sector = gpu.sector_bytes;
  const double cycles_per_us = gpu.clock_ghz * 1e3 * work.busy;
  const double l2_scale = 1e3 * constants.l2_efficiency;
  const double busiest = 1 + constants.tail * (work.imbalance - 1);
  const double instructions = instructions_a_block(gpu) * constants.instructions_scale;
  ModelledLimits limits;
  limits.launch_us = gpu.launch_us * constants.launch_scale;
  limits.dram_us =
      work.dram_sectors * bytes_of_sector / (gpu.dram_gb_per_s * 1e3 * constants.dram_efficiency);
  limits.l2_us = work.l2_whole * bytes_of_sector / (gpu.l2_gb_per_s * l2_scale) +
                 work.l2_scattered * bytes_of_sector / (gpu.l2_scattered_gb_per_s * l2_scale);
  limits.lsu_us = work.lsu_cycles / cycles_per_us * busiest;
  limits.issue_us = work.basic_blocks * instructions /
                    (cycles_per_us * gpu.issue_a_cycle * constants.issue_efficiency) * busiest;
  limits.atomics_us = (work.atomic_passes * constants.atomic_pass_ns +
                       work.atomic_hottest * constants.atomic_line_ns) *
                      1e-3;
  const double block_ns =
      instructions * constants.instruction_cycles / gpu.clock_ghz;  // of a warp by itself
  const auto launched_ns = [&](double blocks) {
    return std::max(0.0, blocks - floor_blocks) * gpu.block_ns;
  };
  limits.longest_warp_us = ((sum_ns(gpu, work.longest) + work.longest_basic_blocks * block_ns) *
                                constants.longest_scale +
                            launched_ns(work.longest_begins)) *
                           1e-3;
  const double each_ns =
      (sum_ns(gpu, work.each) + work.each_basic_blocks * block_ns) * constants.queued_scale;
  limits.queue_us =
      std::max(each_ns * work.turns * busiest, each_ns + launched_ns(work.blocks)) * 1e-3;
  return limits;
}

namespace {

/// (a^order + b^order + ...)^(1/order) of terms that are not negative, in reach of any order.
double norm(std::initializer_list<double> terms, double order) {
  const double longest = std::max(terms);
  if (longest == 0 || std::isinf(order)) return longest;
  double sum = 0;
  for (const double term : terms) sum += std::pow(term / longest, order);
  return longest * std::pow(sum, 1 / order);
}

}  // namespace

double launch_time_us(const GpuModel& gpu, const LaunchWork& work,
                      const ModelConstants& constants) {
  const ModelledLimits limits = launch_limits(gpu, work, constants);
  return limits.launch_us + norm({limits.dram_us, limits.l2_us, limits.lsu_us, limits.issue_us,
                                  limits.atomics_us, limits.longest_warp_us, limits.queue_us},
                                 constants.limits_order);
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
                     const std::vector<emulator::LaunchCounts>& launches) {
  return modelled_time(gpu, kernel, kernel.launches, launches);
}

Timing modelled_time(const GpuModel& gpu, const Kernel& kernel, const std::vector<Launch>& launches,
                     const std::vector<emulator::LaunchCounts>& counts) {
  Timing timing;
  double sectors = 0, dram = 0;
  std::int64_t blocks_ran = 0, blocks = 0;
  ModelledLimits& limits = timing.limits.emplace();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const LaunchWork work = count_work(gpu, kernel, launches[i], counts[i]);
    timing.time_us += launch_time_us(gpu, work, gpu.constants);
    add(limits, launch_limits(gpu, work, gpu.constants));
    sectors += work.sectors;
    dram += work.dram_sectors;
    blocks_ran += counts[i].blocks;
    blocks += launches[i].blocks;
  }
  timing.time_us_p20 = timing.time_us_p80 = timing.time_us;
  timing.sectors = std::llround(sectors) * (gpu.sector_bytes / reported_sector_bytes);
  timing.dram_bytes = std::llround(dram) * gpu.sector_bytes;
  if (blocks_ran < blocks)
    timing.note = fmt::format("counts from {} of {} blocks", blocks_ran, blocks);
  return timing;
}

}  // namespace alphasparse
