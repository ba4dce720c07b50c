#include "runtime/emulated/emulator/caches.h"

#include <algorithm>
#include <bit>

namespace alphasparse::emulator {

namespace {

constexpr int l1_ways = 16, l2_ways = 16;

}  // namespace

Cache::Cache(std::int64_t bytes, int ways, SectorSize size) : size_(size) {
  const std::int64_t lines = std::max<std::int64_t>(1, bytes >> line_shift);
  const std::int64_t sets = std::max<std::int64_t>(1, lines / ways);
  sets_ = static_cast<std::uint64_t>(sets);
  strategies_ = static_cast<int>(lines / sets);
  lines_.resize(sets * strategies_);
}

void Cache::clear() {
  std::fill(lines_.begin(), lines_.end(), Line());
  now_ = 0;
}

std::uint32_t Cache::fetch(std::uint64_t sector, std::uint32_t bits) {
  const std::uint64_t tag = size_.line(sector);
  const std::uint64_t hash = tag * 0x9E3779B97F4A7C15ull >> 32;  // spreads power-of-two strides
  Line* set = &lines_[hash % sets_ * strategies_];
  Line* oldest = set;
  ++now_;
  for (int way = 0; way < strategies_; ++way) {
    Line& line = set[way];
    if (line.tag == tag) {
      const std::uint32_t fetched = bits & ~line.sectors;
      line.sectors |= bits;
      line.used = now_;
      return fetched;
    }
    if (line.used < oldest->used) oldest = &line;
  }
  *oldest = {tag, now_, bits};
  return bits;
}

bool Cache::touch(std::uint64_t sector) {
  return fetch(sector, 1u << (sector & (size_.line_sectors() - 1))) == 0;
}

int Cache::touch_pair(std::uint64_t sector) {
  const bool has_pairs = size_.line_sectors() > 1;
  return std::popcount(
      fetch(sector, (has_pairs ? 3u : 1u) << (sector & (size_.line_sectors() - 1) & ~1u)));
}

void L1::reset(std::int64_t bytes_per_warp, int warps, SectorSize size) {
  of_warp_.assign(warps, Cache(std::max<std::int64_t>(512, bytes_per_warp), l1_ways, size));
}

void L1::begin_block() {
  for (Cache& cache : of_warp_) cache.clear();
}

void L2::reset(const Memory& memory, const JobCaches& caches, int part) {
  size_ = SectorSize(caches.sector_bytes);
  holds_all_ = caches.l2_holds_all;
  slice_count_ = caches.l2_slices;
  touched_.clear();
  if (!holds_all_) {
    slices_.assign(slice_count_, Cache(caches.l2_bytes / slice_count_ / part, l2_ways, size_));
    return;
  }
  for (const Region& region : memory.regions) {
    const bool global = region.space == Space::global;
    touched_.emplace_back(global ? slice_count_ * (size_.sector(region.bytes) + 1) : 0,
                          caches.l2_warm);
  }
}

int L2::touch(const Region& region, std::uint64_t sector, std::int64_t block) {
  const std::int64_t slice = block % slice_count_;
  if (!holds_all_) return slices_[slice].touch_pair(sector);
  const std::uint64_t index = sector - size_.sector(region.low);
  const auto touched =
      touched_[region.index].begin() + static_cast<std::ptrdiff_t>(slice_count_ * index + slice);
  const bool there = *touched;
  *touched = true;
  return !there;
}

}  // namespace alphasparse::emulator
