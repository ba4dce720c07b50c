// survey: the work of all blocks of a launch, seen cheaply, before a sample of them is counted.
//
// A sample that takes blocks evenly misses the few that hold a giant row and its pads. So every
// block runs once, uncounted. The number of basic blocks that its lanes enter is its cost, and
// blocks are drawn in proportion to their cost (a systematic sample, Madow 1949). One that is drawn
// with probability p stands for 1 / p blocks; one that costs more than a step is always drawn. The
// block with the thread that reads most is looked at in any case.
//
// No sample tells the contents of L2: the part of x that is left from one block to the next depends
// on all between them. So L2 meets the accesses of every block, of one line in eight of every
// array, and is an eighth as large.
//
// Example: blocks that cost 1 1 6 1 1 1 1, steps of 3 from 1.5 on. The third is drawn, which stands
// for itself, and one each of the two and of the four others.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "runtime/emulated/emulator/caches.h"
#include "runtime/emulated/emulator/report.h"

namespace alphasparse::emulator {

/// A block to count.
struct DrawnBlock {
  std::int64_t block = 0;
  double stands_for = 1;  ///< blocks; 0: it is looked at for its longest warp alone
};

/// `costs[i]` > 0 of block i; draws about `count` of them, in order, and `longest` in any case.
std::vector<DrawnBlock> drawn_blocks(const std::vector<double>& costs, double count,
                                     std::int64_t longest);

class Survey {
 public:
  void begin_launch(const Job& job);

  /// One access of a lane of the block's thread `thread`.
  void access(const Region& region, std::uintptr_t address, unsigned bytes, int thread) {
    ++accesses_[thread];
    if (region.space != Space::global) return;
    const std::uintptr_t last = address + bytes - 1;
    for (std::uint64_t sector = size_.sector(address); sector <= size_.sector(last); ++sector)
      if (is_seen(size_.line(sector))) meet(region, sector);
  }

  /// The block that ran has ended.
  void end_block(std::int64_t block, std::int64_t basic_blocks);

  std::vector<DrawnBlock> draw(std::int64_t stride) const;

  /// Replaces the counts of L2 by its own.
  void put_into(LaunchCounts& counts) const;

 private:
  static constexpr int part = 8;  // one line of as many is seen

  /// One line of each eight that follow each other, which one as by chance.
  static bool is_seen(std::uint64_t line) {
    return (line & (part - 1)) == ((line / part) * 0x9E3779B97F4A7C15ull >> 61);
  }
  void meet(const Region& region, std::uint64_t sector);

  SectorSize size_;
  L2 l2_;
  bool l2_is_set_ = false;
  std::vector<std::int64_t> fetched_;       // of each region
  std::vector<std::vector<bool>> touched_;  // of each region, a sector
  std::int64_t touched_sectors_ = 0;
  std::vector<double> costs_;                        // of each block
  std::array<std::int64_t, 1024> accesses_{};        // of each thread of the block
  std::int64_t longest_ = 0, longest_accesses_ = 0;  // the block with the thread that has most
};

extern Survey survey;

}  // namespace alphasparse::emulator
