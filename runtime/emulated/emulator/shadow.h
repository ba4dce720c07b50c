// shadow: the last writer and readers of each element of a writable array, to find races and
// uninitialised reads.
//
// A warp's execution is cut into intervals, numbered without repetition: a new one begins with the
// block, and after every barrier of the warp or block. Of two accesses to one element, one a write
// and not both atomic, by different threads, the earlier is ordered before the later if
//
//   a barrier of their block lies between them   its interval is older than the block's last
//   barrier or they are of one warp and a barrier of the warp lies between them
//
// and is a race else. Blocks are never ordered in one launch; launches are. A barrier of some lanes
// of a warp counts for all of its lanes: races inside a warp that only a partial mask leaves open
// are not found.
//
// A cell keeps the last writer and two readers. Two are enough for "somebody else read this" where
// they differ; where more read, the two kept are of different blocks or warps if there are such.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/emulated/emulator/access.h"
#include "runtime/emulated/emulator/memory.h"

namespace alphasparse::emulator {

/// A thread in an interval; empty where `who` is 0.
struct Mark {
  std::uint32_t interval = 0;
  std::uint32_t who = 0;  ///< thread + 1, and atomic_bit

  static constexpr std::uint32_t atomic_bit = 1u << 31;
  int thread() const { return static_cast<int>(who & ~atomic_bit) - 1; }
  bool is_atomic() const { return (who & atomic_bit) != 0; }
};

struct Cell {
  Mark writer;
  Mark reader;  ///< or an atomic operation that is not the last
  Mark other_reader;
};

/// The cells of one array, one for `granule_bytes` bytes of it.
struct Shadow {
  std::vector<Cell> cells;
  int granule_shift = 2;
  bool initialised = false;  ///< readable before anyone has written: y is, shared memory is not
};

/// Numbers the intervals and knows the blocks that they belong to.
class Intervals {
 public:
  void begin_case() { case_first_ = next_; }
  void begin_launch();
  void begin_block(std::int64_t block);  ///< before the first next() of the block
  void barrier_of_block() { after_barrier_ = next_; }
  std::uint32_t next();

  std::uint32_t case_first() const { return case_first_; }
  std::uint32_t launch_first() const { return launch_first_; }
  std::uint32_t block_first() const { return block_first_; }
  std::uint32_t after_barrier() const { return after_barrier_; }
  std::int64_t find_block(std::uint32_t interval) const;

 private:
  struct Start {
    std::uint32_t interval;
    std::int64_t block;
  };
  std::uint32_t next_ = 1;
  std::uint32_t case_first_ = 1;
  std::uint32_t launch_first_ = 1;
  std::uint32_t block_first_ = 1;
  std::uint32_t after_barrier_ = 1;
  std::vector<Start> starts_;
};

extern Intervals intervals;

/// Gives a writable region its shadow; owned by the process.
void watch(Region& region, bool initialised);

/// The running lane accesses `bytes` at `address`, inside `region`. Ends in fault() on a race or an
/// uninitialised read.
void check_order(const Region& region, std::uintptr_t address, unsigned bytes, AccessKind kind);

}  // namespace alphasparse::emulator
