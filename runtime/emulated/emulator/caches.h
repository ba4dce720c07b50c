// caches: L1 and L2 as sets of 128-byte lines, with sectors that are filled one by one: four of 32
// bytes, or where a GPU's L1 fetches more at once, two of 64 or one.
//
// L1 is modelled as one private share a warp: the L1 of a multiprocessor divided by the warps that
// are resident at once, 16-way. That of a V100 has four sets (Jia, Maggioni, Staiger, Scarpazza
// 2018), so that lines hardly ever push each other out before it is full. L2 is exact where the job
// says that it holds all arrays at once: the first touch of a sector misses, where L2 is cold, and
// nothing else. Else it is a 16-way LRU that fetches two sectors at a time, as NVIDIA's do by
// default (CUDA Runtime API, cudaLimitMaxL2FetchGranularity), or the one of a line. It starts empty
// in any regime: a loop over more than it holds finds the end of the last round in it.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/emulated/emulator/job.h"
#include "runtime/emulated/emulator/memory.h"

namespace alphasparse::emulator {

inline constexpr int line_shift = 7;

/// Sectors of a line, by JobCaches::sector_bytes, and their addresses' shift.
class SectorSize {
 public:
  SectorSize() = default;
  explicit SectorSize(int bytes) : shift_(std::countr_zero(static_cast<unsigned>(bytes))) {}

  std::uint64_t sector(std::uint64_t address) const { return address >> shift_; }
  std::uint64_t line(std::uint64_t sector) const { return sector >> (line_shift - shift_); }
  int line_sectors() const { return 1 << (line_shift - shift_); }

 private:
  int shift_ = 5;
};

/// Set-associative, least recently used line replaced.
class Cache {
 public:
  Cache() = default;
  /// A cache of about so many ways: as many more as use up its bytes, fewer where it has fewer
  /// lines.
  Cache(std::int64_t bytes, int ways, SectorSize size = {});

  void clear();

  /// True where `sector` (SectorSize::sector of an address) is there; it is afterwards.
  bool touch(std::uint64_t sector);

  /// Likewise for the pair of sectors that it belongs to, where a line has several; returns the
  /// number that were fetched.
  int touch_pair(std::uint64_t sector);

 private:
  /// The sectors of a line among `bits` that were not there; they are afterwards.
  std::uint32_t fetch(std::uint64_t sector, std::uint32_t bits);

  struct Line {
    std::uint64_t tag = ~0ull;
    std::uint32_t used = 0;
    std::uint32_t sectors = 0;  // bit i: sector i of the line is filled
  };
  SectorSize size_;
  int strategies_ = 1;
  std::uint64_t sets_ = 1;
  std::uint32_t now_ = 0;
  std::vector<Line> lines_;
};

class L1 {
 public:
  /// Shares of `bytes_per_warp` for each warp of a block.
  void reset(std::int64_t bytes_per_warp, int warps, SectorSize size);
  void begin_block();
  bool touch(int warp, std::uint64_t sector) { return of_warp_[warp].touch(sector); }

 private:
  std::vector<Cache> of_warp_;
};

class L2 {
 public:
  /// Once a job, or before each launch where it forgets: all arrays are known. `part`: it is that
  /// part of an L2, and meets its addresses alone.
  void reset(const Memory& memory, const JobCaches& caches, int part = 1);

  /// Sectors that are fetched for this one, which a block of the launch names.
  int touch(const Region& region, std::uint64_t sector, std::int64_t block);

 private:
  SectorSize size_;
  bool holds_all_ = true;
  std::int64_t slice_count_ = 1;
  std::vector<std::vector<bool>> touched_;  // of each region, a sector of each slice
  std::vector<Cache> slices_;               // blocks are dealt out to them in turn
};

}  // namespace alphasparse::emulator
