// machine: the state of the one multiprocessor that is emulated: the warp and lane that run now,
// and the data that every memory access must look at.
//
// One block runs at a time, one warp of it at a time, one lane of that at a time. Every lane is a
// fiber that runs until it waits for others or ends. There is one machine a process and one thread
// in it, so that runs are the same every time. Only several processes that add to one number may
// differ (team.h).
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "base/scaling.h"
#include "runtime/emulated/emulator/access.h"
#include "runtime/emulated/emulator/job.h"
#include "runtime/emulated/emulator/memory.h"
#include "runtime/emulated/emulator/module.h"
#include "runtime/emulated/emulator/stacks.h"
#include "runtime/emulated/emulator/team.h"

namespace alphasparse::emulator {

inline constexpr int lanes_per_warp = 32;
inline constexpr int warps_max = 32;

enum class Collective : std::uint8_t {
  shuffle_lane,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  barrier,
  match_any,
};

/// The value that a lane brings to an operation of its warp, and its result.
struct Contribution {
  std::uint64_t value = 0;
  std::uint64_t result = 0;
  std::uint32_t mask = 0;
  int argument = 0;
  int width = 32;
  int line = 0;
  Collective operation = Collective::barrier;

  bool joins(const Contribution& other) const {
    return operation == other.operation && mask == other.mask && width == other.width;
  }
};

/// 32 lanes. Each lane is in one of these sets, or running.
struct Warp {
  std::uint32_t runnable = 0;    ///< not started yet, or released
  std::uint32_t waiting = 0;     ///< in an operation of the warp
  std::uint32_t at_barrier = 0;  ///< of the block
  std::uint32_t paused = 0;      ///< its trace is full
  std::uint32_t exited = 0;
  std::uint32_t unstarted = 0;   ///< subset of runnable: has no stack yet
  std::uint32_t lanes = 0;       ///< all that exist
  std::uint32_t interval = 0;    ///< see shadow.h
  bool uniform = true;           ///< all that wait contribute to the same operation
  std::int64_t blocks_left = 0;  ///< basic blocks its lanes may still enter
  std::array<void*, lanes_per_warp> stack_pointer{};
  std::array<char*, lanes_per_warp> stack{};
  std::array<Contribution, lanes_per_warp> contribution{};
  std::array<int, lanes_per_warp> barrier_line{};
  std::array<int, lanes_per_warp> barrier_vote{};
  std::array<const Access*, lanes_per_warp> trace_begin{};  ///< records that are not merged yet
  std::array<Access*, lanes_per_warp> trace_end{};
};

/// The lane to run next: the lowest of a set, or the highest.
inline int next_lane(std::uint32_t set, bool reversed) {
  return reversed ? 31 - std::countl_zero(set) : std::countr_zero(set);
}

/// Removes and returns the lowest lane of a set.
inline int take_lowest(std::uint32_t& set) {
  const int lane = std::countr_zero(set);
  set &= set - 1;
  return lane;
}

struct Machine {
  Mode mode = Mode::plain;
  bool lanes_reversed = false;
  int case_index = -1;
  std::int64_t block = -1;  ///< -1 outside a launch
  std::int64_t blocks = 0;
  int threads = 0;

  LaunchEntry entry = nullptr;
  const void* const* arrays = nullptr;
  const void* x = nullptr;
  void* y = nullptr;
  Scaling scaling;
  RowDistances distances;

  int warp_index = 0;  ///< of the running warp; see select_warp()
  int lane = 0;
  int block_vote = 0;
  void* scheduler = nullptr;  ///< its stack pointer while a lane runs
  std::array<Warp, warps_max> warps;
  Warp* running = warps.data();

  Memory memory;
  Module module;
  Stacks stacks;
  Team team;
  std::array<const Region*, 256> region_of_site{};  ///< last met at an instruction; never null

  Access* trace_next = nullptr;  ///< of the running lane; mode count only
  Access* trace_stop = nullptr;

  Warp& warp() { return *running; }
  void select_warp(int index) {
    warp_index = index;
    running = &warps[index];
  }
  int thread() const { return warp_index * lanes_per_warp + lane; }
};

extern Machine machine;

/// The current lane waits (its set says for which event); returns when it runs again.
void leave_lane();

}  // namespace alphasparse::emulator
