#include "runtime/emulated/emulator/counts.h"

#include <algorithm>
#include <array>

#include "runtime/emulated/emulator/machine.h"

namespace alphasparse::emulator {

Counter counter;

namespace {

/// Warps of a launch that one multiprocessor holds at once, as far as grid, threads and shared
/// memory tell; registers are not known here.
std::int64_t resident_warps(const JobCaches& caches, const JobLaunch& launch,
                            std::int64_t shared_bytes) {
  const std::int64_t warps = (launch.threads + lanes_per_warp - 1) / lanes_per_warp;
  std::int64_t blocks = std::min<std::int64_t>(caches.blocks_max, caches.warps_max / warps);
  if (shared_bytes > 0) blocks = std::min(blocks, caches.l1_bytes / (shared_bytes + 1024));
  const std::int64_t offered =
      (launch.blocks + caches.multiprocessors - 1) / caches.multiprocessors;
  return std::max<std::int64_t>(1, std::min(blocks, offered)) * warps;
}

/// Distinct sectors of one instruction, in the order in which its lanes name them.
struct Sectors {
  std::array<std::uint64_t, 2 * lanes_per_warp> sector;
  int count = 0;
  std::uint64_t greatest = 0;

  void add(std::uint64_t wanted) {
    if (count > 0 && wanted <= greatest) {
      for (int i = count - 1; i >= 0; --i) {
        if (sector[i] == wanted) return;
      }
    }
    greatest = std::max(greatest, wanted);
    sector[count++] = wanted;
  }

  int lines() const {
    int lines = 0;
    for (int i = 0; i < count; ++i) {
      bool seen = false;
      for (int k = i - 1; k >= 0 && !seen; --k) seen = sector[k] >> 2 == sector[i] >> 2;
      lines += !seen;
    }
    return lines;
  }
};

}  // namespace

void Counter::begin_launch(const Job& job, const JobLaunch& launch) {
  counts = LaunchCounts();
  for (const Region& region : machine.memory.regions) {
    if (region.space == Space::global) counts.arrays.emplace_back().name = region.name;
  }
  std::int64_t shared_bytes = 0;
  for (const SharedArray& array : machine.module.shared) {
    shared_bytes += static_cast<std::int64_t>(array.bytes);
  }
  const std::int64_t warps = resident_warps(job.caches, launch, shared_bytes);
  const std::int64_t blocks = warps * lanes_per_warp / std::max(lanes_per_warp, launch.threads);
  const std::int64_t l1_bytes = static_cast<std::int64_t>(
      job.caches.l1_share * static_cast<double>(job.caches.l1_bytes - blocks * shared_bytes));
  l1_.reset(l1_bytes / warps, (launch.threads + lanes_per_warp - 1) / lanes_per_warp);
  counts.resident_warps = warps;
  if (!l2_is_set_) {  // L2 outlives a launch
    l2_is_set_ = true;
    l2_.reset(machine.memory, job.caches);
  }
  atomics_on_address_.assign(machine.memory.regions.size(), {});
}

void Counter::begin_block(int warps) {
  l1_.begin_block();
  memory_instructions_.assign(warps, 0);
  basic_blocks_before_ = counts.basic_blocks;
}

void Counter::end_block(int warps) {
  ++counts.blocks;
  counts.warps += warps;
  for (const std::int64_t instructions : memory_instructions_) {
    counts.longest_warp = std::max(counts.longest_warp, instructions);
  }
  counts.longest_block = std::max(counts.longest_block, counts.basic_blocks - basic_blocks_before_);
}

void Counter::count_atomics(const Access* const* accesses, int lanes) {
  const Region& region = machine.memory.regions[accesses[0]->region];
  std::vector<std::uint32_t>& hits = atomics_on_address_[region.index];
  if (hits.empty()) hits.resize(region.bytes / 4 + 1);
  for (int i = 0; i < lanes; ++i) {
    const std::uint32_t count = ++hits[(accesses[i]->address - region.low) / 4];
    counts.atomic_hottest = std::max<std::int64_t>(counts.atomic_hottest, count);
  }
  counts.atomic_lanes += lanes;
}

void Counter::global_access(int warp, const Access* const* accesses, int lanes) {
  const Access& first = *accesses[0];
  Sectors touched;
  std::uint64_t last = ~0ull;
  for (int i = 0; i < lanes; ++i) {
    const std::uint64_t sector = accesses[i]->address >> sector_shift;
    const std::uint64_t end = (accesses[i]->address + accesses[i]->bytes - 1) >> sector_shift;
    if (sector != last) touched.add(sector);
    if (end != sector) touched.add(end);
    last = sector;
  }
  ++counts.memory_instructions;
  ++memory_instructions_[warp];
  counts.sectors += touched.count;
  counts.lines += touched.lines();
  ArrayCounts& array = counts.arrays[first.region];
  array.sectors += touched.count;
  ++array.instructions;
  if (first.kind == AccessKind::atomic) count_atomics(accesses, lanes);
  const Region& region = machine.memory.regions[first.region];
  for (int i = 0; i < touched.count; ++i) {
    if (first.kind == AccessKind::read && l1_.touch(warp, touched.sector[i])) continue;
    ++counts.l2_sectors;
    if (l2_.touch(region, touched.sector[i])) continue;
    ++counts.dram_sectors;
    ++array.dram_sectors;
  }
}

/// 32 banks of 4 bytes; wider accesses go a half or a quarter of the warp at a time. Lanes that
/// name one word share it.
void Counter::shared_access(int warp, const Access* const* accesses, int lanes) {
  ++counts.memory_instructions;
  ++memory_instructions_[warp];
  const int words = std::max(1, accesses[0]->bytes / 4);
  const int lanes_a_pass = lanes_per_warp / words;
  for (int from = 0; from < lanes; from += lanes_a_pass) {
    std::array<std::uint64_t, lanes_per_warp> seen;
    std::array<int, lanes_per_warp> in_bank{};
    int distinct = 0, passes = 1;
    for (int i = from; i < std::min(lanes, from + lanes_a_pass); ++i) {
      for (int word = 0; word < words; ++word) {
        const std::uint64_t wanted = accesses[i]->address / 4 + word;
        const auto end = seen.begin() + distinct;
        if (std::find(seen.begin(), end, wanted) != end) continue;
        seen[distinct++] = wanted;
        passes = std::max(passes, ++in_bank[wanted % lanes_per_warp]);
      }
    }
    counts.shared_passes += passes;
  }
}

}  // namespace alphasparse::emulator
