// report: the emulator's counts, as lines of text that it prints and the runtime reads.
//
//   launch blocks=47 warps=94 ...      each launch
//   array column 1056 33 12 ...        of the launch above: the fields of ArrayCounts, in order
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace alphasparse::emulator {

/// The counts of one array in one launch.
struct ArrayCounts {
  std::string name;
  std::int64_t sectors = 0;
  std::int64_t instructions = 0;
  std::int64_t l2_sectors = 0;
  std::int64_t dram_sectors = 0;
  std::int64_t reads = 0;   ///< instructions that wait for it
  std::int64_t missed = 0;  ///< of those, the ones that L1 had not all of
  /// The same of the warp that waits longest.
  std::int64_t longest_reads = 0;
  std::int64_t longest_missed = 0;
};

/// The work of a launch, warp by warp: the facts that a time is modelled from. Sectors are as
/// JobCaches says, lines 128 bytes. Sums are of all blocks: where only some ran, each stands for
/// others too.
struct LaunchCounts {
  std::int64_t blocks = 0;  ///< that ran
  std::int64_t warps = 0;
  std::int64_t resident_warps = 0;  ///< of a multiprocessor at once, registers aside
  std::int64_t basic_blocks = 0;    ///< entered by a warp, however many of its lanes
  std::int64_t basic_block_lanes = 0;
  std::int64_t memory_instructions = 0;  ///< of a warp, to global and shared memory
  std::int64_t collectives = 0;          ///< shuffles, votes and barriers of a warp
  std::int64_t sectors = 0;              ///< that global accesses touched: the traffic to L1
  std::int64_t lines = 0;                ///< lines among them, counted once an instruction
  std::int64_t l2_sectors = 0;           ///< reads that missed L1, writes and atomics
  std::int64_t l2_scattered = 0;         ///< of those, the ones that are no whole line together
  std::int64_t dram_sectors = 0;         ///< that L2 fetched, and those written to it anew
  std::int64_t touched_sectors = 0;      ///< different ones: the least that L2 must give
  std::int64_t shared_passes = 0;        ///< one a shared access, and one more a bank conflict
  std::int64_t shared_instructions = 0;
  std::int64_t shared_reads = 0;         ///< of those
  std::int64_t atomic_lanes = 0;         ///< single atomic operations
  std::int64_t atomic_passes = 0;        ///< of an instruction and a line: the most on one address
  std::int64_t atomic_hottest = 0;       ///< the most of the passes on one line
  std::int64_t longest_warp = 0;         ///< memory instructions of the warp that waits longest...
  std::int64_t longest_collectives = 0;  ///< ...and its collectives
  std::int64_t longest_shared_reads = 0;
  std::int64_t longest_basic_blocks = 0;  ///< that it entered
  std::int64_t longest_begins = 0;        ///< blocks that are launched before its own
  std::int64_t longest_block = 0;  ///< basic blocks entered by the warps of the block with the most
  bool is_near =
      false;  ///< a cache behind L2 holds all arrays; the emulator leaves it to its caller
  std::vector<ArrayCounts> arrays;  ///< the job's, then x and y
};

void write_counts(std::ostream& out, const LaunchCounts& counts);

/// False where the text is no report.
bool read_report(std::istream& in, std::vector<LaunchCounts>& launches);

}  // namespace alphasparse::emulator
