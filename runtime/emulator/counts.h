// counts: what a launch did, warp by warp - the facts that a time is modelled from.
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/emulator/access.h"
#include "runtime/emulator/caches.h"
#include "runtime/emulator/job.h"

namespace alphasparse::emulator {

/// Sectors are 32 bytes, lines 128. All numbers are of the blocks that ran.
struct Counts {
  std::int64_t blocks = 0;
  std::int64_t warps = 0;
  std::int64_t basic_blocks = 0;  ///< entered by a warp, however many of its lanes
  std::int64_t basic_block_lanes = 0;
  std::int64_t memory_instructions = 0;  ///< of a warp, to global and shared memory
  std::int64_t collectives = 0;          ///< shuffles, votes and barriers of a warp
  std::int64_t sectors = 0;              ///< that global accesses touched: the traffic to L1
  std::int64_t lines = 0;                ///< lines among them, counted once an instruction
  std::int64_t l2_sectors = 0;           ///< reads that missed L1, writes and atomics
  std::int64_t dram_sectors = 0;         ///< of those, the ones that missed L2
  std::int64_t shared_passes = 0;        ///< one a shared access, and one more a bank conflict
  std::int64_t atomic_lanes = 0;         ///< single atomic operations
  std::int64_t atomic_hottest = 0;       ///< the most of them on one address
  std::int64_t longest_warp = 0;         ///< memory instructions of the warp with the most
};

/// Of one array.
struct ArrayCounts {
  std::int64_t sectors = 0;
  std::int64_t dram_sectors = 0;
};

/// The counts of the current launch and the caches that they are taken with. Mode count only.
class Counter {
 public:
  /// Sets the caches up for a launch: L1 is shared by the warps that are resident at once.
  void begin_launch(const Job& job, const JobLaunch& launch);
  void begin_block(int warps);
  void end_block(int warps);

  /// One instruction of warp `warp`: the accesses of its active lanes, all to one region.
  void global_access(int warp, const Access* const* accesses, int lanes);
  void shared_access(int warp, const Access* const* accesses, int lanes);

  Counts counts;
  std::vector<ArrayCounts> arrays;  ///< in the order of Memory::regions

 private:
  void count_atomics(const Access* const* accesses, int lanes);

  L1 l1_;
  L2 l2_;
  std::vector<std::int64_t> memory_instructions_;               // of each warp of the block
  std::vector<std::vector<std::uint32_t>> atomics_on_address_;  // of each region, a 4-byte word
};

extern Counter counter;

}  // namespace alphasparse::emulator
