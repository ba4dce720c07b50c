#include "runtime/emulated/emulator/caches.h"

#include <algorithm>

namespace alphasparse::emulator {

Cache::Cache(std::int64_t bytes, int ways) : ways_(ways) {
  sets_ = std::max<std::int64_t>(1, (bytes >> line_shift) / ways);
  lines_.resize(sets_ * ways);
}

void Cache::clear() {
  std::fill(lines_.begin(), lines_.end(), Line());
  now_ = 0;
}

bool Cache::touch(std::uint64_t sector) {
  const std::uint64_t tag = sector >> (line_shift - sector_shift);
  const std::uint32_t bit = 1u << (sector & ((1 << (line_shift - sector_shift)) - 1));
  const std::uint64_t hash = tag * 0x9E3779B97F4A7C15ull >> 32;  // spreads power-of-two strides
  Line* set = &lines_[hash % sets_ * ways_];
  Line* oldest = set;
  ++now_;
  for (int way = 0; way < ways_; ++way) {
    Line& line = set[way];
    if (line.tag == tag) {
      const bool there = (line.sectors & bit) != 0;
      line.sectors |= bit;
      line.used = now_;
      return there;
    }
    if (line.used < oldest->used) oldest = &line;
  }
  *oldest = {tag, now_, bit};
  return false;
}

void L1::reset(std::int64_t bytes_per_warp, int warps) {
  of_warp_.assign(warps, Cache(std::max<std::int64_t>(512, bytes_per_warp), 4));
}

void L1::begin_block() {
  for (Cache& cache : of_warp_) cache.clear();
}

void L2::reset(const Memory& memory, const JobCaches& caches) {
  holds_all_ = caches.l2_holds_all;
  touched_.clear();
  if (!holds_all_) {
    cache_ = Cache(caches.l2_bytes, 16);
    return;
  }
  for (const Region& region : memory.regions) {
    const bool global = region.space == Space::global;
    touched_.emplace_back(global ? (region.bytes >> sector_shift) + 1 : 0, caches.l2_warm);
  }
}

bool L2::touch(const Region& region, std::uint64_t sector) {
  if (!holds_all_) return cache_.touch(sector);
  const auto touched = touched_[region.index].begin() +
                       static_cast<std::ptrdiff_t>(sector - (region.low >> sector_shift));
  const bool there = *touched;
  *touched = true;
  return there;
}

}  // namespace alphasparse::emulator
