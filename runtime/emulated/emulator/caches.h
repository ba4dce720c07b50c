// caches: L1 and L2 as sets of 128-byte lines, with 32-byte sectors that are filled one by one.
//
// L1 is modelled as one private share a warp: the L1 of a multiprocessor divided by the warps that
// are resident at once, 16-way. That of a V100 has four sets (Jia, Maggioni, Staiger, Scarpazza
// 2018), so that lines hardly ever push each other out before it is full. L2 is exact where the job
// says that it holds all arrays at once: the first touch of a sector misses, where L2 is cold, and
// nothing else. Else it is a 16-way LRU that fetches two sectors at a time, as GPUs do by default
// (CUDA Runtime API, cudaLimitMaxL2FetchGranularity). It starts empty in any regime: a loop over
// more than it holds finds the end of the last round in it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/emulated/emulator/job.h"
#include "runtime/emulated/emulator/memory.h"

namespace alphasparse::emulator {

inline constexpr int sector_shift = 5;
inline constexpr int line_shift = 7;

/// Set-associative, least recently used line replaced.
class Cache {
 public:
  Cache() = default;
  /// A cache of about so many ways: as many more as use up its bytes, fewer where it has fewer
  /// lines.
  Cache(std::int64_t bytes, int ways);

  void clear();

  /// True where `sector` (an address >> sector_shift) is there; it is afterwards.
  bool touch(std::uint64_t sector);

  /// Likewise for the pair of sectors that it belongs to; returns the number that were fetched.
  int touch_pair(std::uint64_t sector);

 private:
  /// The sectors of a line among `bits` that were not there; they are afterwards.
  std::uint32_t fetch(std::uint64_t sector, std::uint32_t bits);

  struct Line {
    std::uint64_t tag = ~0ull;
    std::uint32_t used = 0;
    std::uint32_t sectors = 0;  // bit i: sector i of the line is filled
  };
  int strategies_ = 1;
  std::uint64_t sets_ = 1;
  std::uint32_t now_ = 0;
  std::vector<Line> lines_;
};

class L1 {
 public:
  /// Shares of `bytes_per_warp` for each warp of a block.
  void reset(std::int64_t bytes_per_warp, int warps);
  void begin_block();
  bool touch(int warp, std::uint64_t sector) { return of_warp_[warp].touch(sector); }

 private:
  std::vector<Cache> of_warp_;
};

class L2 {
 public:
  /// Once a job: all arrays are known. `part`: it is that part of an L2, and meets its addresses
  /// alone.
  void reset(const Memory& memory, const JobCaches& caches, int part = 1);

  /// Sectors that are fetched for this one.
  int touch(const Region& region, std::uint64_t sector);

 private:
  bool holds_all_ = true;
  std::vector<std::vector<bool>> touched_;  // of each region, a sector
  Cache cache_;
};

}  // namespace alphasparse::emulator
