// counts: counts what a launch does, warp instruction by warp instruction.
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/emulated/emulator/access.h"
#include "runtime/emulated/emulator/caches.h"
#include "runtime/emulated/emulator/job.h"
#include "runtime/emulated/emulator/report.h"

namespace alphasparse::emulator {

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

  LaunchCounts counts;  ///< arrays in the order of Memory::regions

 private:
  void count_atomics(const Access* const* accesses, int lanes);

  L1 l1_;
  L2 l2_;
  bool l2_is_set_ = false;
  std::vector<std::int64_t> memory_instructions_;               // of each warp of the block
  std::int64_t basic_blocks_before_ = 0;                        // the block began
  std::vector<std::vector<std::uint32_t>> atomics_on_address_;  // of each region, a 4-byte word
};

extern Counter counter;

}  // namespace alphasparse::emulator
