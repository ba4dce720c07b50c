// counts: counts the work of a launch, warp instruction by warp instruction.
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

  /// The block that begins stands for so many.
  void begin_block(int warps, double stands_for);
  void end_block(int warps);

  /// Sums of all blocks; arrays in the order of Memory::regions.
  LaunchCounts end_launch();

  /// One instruction of warp `warp`: the accesses of its active lanes, all to one region.
  void global_access(int warp, const Access* const* accesses, int lanes);
  void shared_access(int warp, const Access* const* accesses, int lanes);
  void collective(int warp);
  void enter_block(int warp, int lanes);

 private:
  /// The waits of a warp of the block.
  struct Waits {
    struct Reads {
      std::int64_t all = 0, missed = 0;
    };
    std::vector<Reads> of_region;
    std::int64_t memory_instructions = 0;
    std::int64_t collectives = 0, shared_reads = 0;
    std::int64_t basic_blocks = 0;

    double weight() const;
  };

  void touch_caches(int warp, const Region& region, AccessKind kind, const std::uint64_t* sectors,
                    int count);
  void count_atomics(const Access* const* accesses, int lanes);

  SectorSize size_;
  L1 l1_;
  L2 l2_;
  bool l2_is_set_ = false;
  LaunchCounts counts_;             // of the block that runs; the longest and the blocks: of all
  std::vector<double> sums_;        // of all blocks, a summed field each
  std::vector<double> array_sums_;  // likewise, of each array
  double stands_for_ = 1;
  Waits longest_;
  std::int64_t longest_begins_ = 0;
  std::vector<Waits> waits_;                         // of each warp of the block
  std::vector<std::vector<bool>> touched_;           // of each region, a sector
  std::vector<std::vector<float>> atomics_on_line_;  // of each region, their passes
  double atomic_hottest_ = 0;
};

extern Counter counter;

}  // namespace alphasparse::emulator
