#include "runtime/emulated/emulator/collective.h"

#include "runtime/emulated/emulator/counts.h"
#include "runtime/emulated/emulator/kernel_error.h"
#include "runtime/emulated/emulator/merge.h"
#include "runtime/emulated/emulator/shadow.h"

namespace alphasparse::emulator {

namespace {

const char* operation_name(Collective operation) {
  constexpr const char* names[] = {"__shfl_sync",     "__shfl_up_sync", "__shfl_down_sync",
                                   "__shfl_xor_sync", "__ballot_sync",  "__syncwarp",
                                   "__match_any_sync"};
  return names[static_cast<int>(operation)];
}

/// The lane that a shuffle of `lane` reads: its own where the segment of `width` lanes ends.
int shuffle_source(Collective operation, int lane, int argument, int width) {
  const int low = lane & ~(width - 1);
  const std::int64_t step = static_cast<std::uint32_t>(argument);
  switch (operation) {
    case Collective::shuffle_lane:
      return low + (argument & (width - 1));
    case Collective::shuffle_up:
      return lane - step < low ? lane : lane - argument;
    case Collective::shuffle_down:
      return lane + step >= low + width ? lane : lane + argument;
    default:
      return (lane ^ step) >= low + width ? lane : lane ^ argument;
  }
}

void shuffle(Warp& warp, std::uint32_t lanes) {
  const Contribution& first = warp.contribution[std::countr_zero(lanes)];
  if (!std::has_single_bit(static_cast<unsigned>(first.width)) || first.width > lanes_per_warp) {
    machine.lane = std::countr_zero(lanes);
    raise_error("%s in line %d: width %d is not 1, 2, 4, 8, 16 or 32",
                operation_name(first.operation), first.line, first.width);
  }
  for (std::uint32_t left = lanes; left != 0;) {
    const int lane = take_lowest(left);
    Contribution& own = warp.contribution[lane];
    const int source = shuffle_source(own.operation, lane, own.argument, own.width);
    if ((lanes >> source & 1) == 0) [[unlikely]] {
      machine.lane = lane;
      raise_error("%s in line %d reads lane %d, which does not take part",
                  operation_name(own.operation), own.line, source);
    }
    own.result = warp.contribution[source].value;
  }
}

void vote(Warp& warp, std::uint32_t lanes) {
  std::uint32_t ballot = 0;
  for (std::uint32_t left = lanes; left != 0;) {
    const int lane = take_lowest(left);
    if (warp.contribution[lane].value != 0) ballot |= 1u << lane;
  }
  for (std::uint32_t left = lanes; left != 0;) warp.contribution[take_lowest(left)].result = ballot;
}

void match(Warp& warp, std::uint32_t lanes) {
  for (std::uint32_t left = lanes; left != 0;) {
    Contribution& own = warp.contribution[take_lowest(left)];
    own.result = 0;
    for (std::uint32_t others = lanes; others != 0;) {
      const int other = take_lowest(others);
      if (warp.contribution[other].value == own.value) own.result |= 1u << other;
    }
  }
}

/// All of `lanes` wait in the same operation: computes every result, then releases them.
void complete(Warp& warp, std::uint32_t lanes, Collective operation) {
  if (operation <= Collective::shuffle_xor) {
    shuffle(warp, lanes);
  } else if (operation == Collective::ballot) {
    vote(warp, lanes);
  } else if (operation == Collective::match_any) {
    match(warp, lanes);
  } else {
    warp.interval = intervals.next();
  }
  if (machine.mode == Mode::count) counter.collective(machine.warp_index);
  warp.waiting &= ~lanes;
  warp.runnable |= lanes;
}

/// Releases every group of waiting lanes that is complete: all lanes of the mask that have not
/// exited wait in the same operation with the same mask.
void complete_groups(Warp& warp) {
  for (std::uint32_t left = warp.waiting; left != 0;) {
    const int first = take_lowest(left);
    const Contribution& wanted = warp.contribution[first];
    const std::uint32_t needed = wanted.mask & warp.lanes & ~warp.exited;
    bool all_here = (needed & ~warp.waiting) == 0;
    for (std::uint32_t others = needed; all_here && others != 0;) {
      all_here = warp.contribution[take_lowest(others)].joins(wanted);
    }
    if (!all_here) continue;
    left &= ~needed;
    complete(warp, needed, wanted.operation);
  }
}

/// The current lane takes part in an operation of its warp with a value, and gets the result.
std::uint64_t take_part(Collective operation, std::uint32_t mask, std::uint64_t value, int argument,
                        int width, int line) {
  Warp& warp = machine.warp();
  const int lane = machine.lane;
  const std::uint32_t bit = 1u << lane;
  if ((mask & bit) == 0) {
    raise_error("%s in line %d: its mask 0x%08x does not name the calling lane",
                operation_name(operation), line, mask);
  }
  Contribution& own = warp.contribution[lane];
  own.value = value;
  own.mask = mask;
  own.argument = argument;
  own.width = width;
  own.line = line;
  own.operation = operation;
  if (warp.waiting == 0) {
    warp.uniform = true;
  } else if (warp.uniform) {
    warp.uniform = own.joins(warp.contribution[std::countr_zero(warp.waiting)]);
  }
  warp.waiting |= bit;
  leave_lane();
  return own.result;
}

[[noreturn]] void report_deadlock(const Warp& warp, int at_barrier, int exited) {
  const int lane = std::countr_zero(warp.waiting);
  const Contribution& wanted = warp.contribution[lane];
  machine.lane = lane;
  const std::uint32_t missing = wanted.mask & warp.lanes & ~warp.waiting;
  raise_error(
      "deadlock: %d lanes wait in %s in line %d (mask 0x%08x) for lane %d, which does not come; "
      "%d threads of the block wait at __syncthreads, %d have exited",
      std::popcount(warp.waiting), operation_name(wanted.operation), wanted.line, wanted.mask,
      missing ? std::countr_zero(missing) : lane, at_barrier, exited);
}

}  // namespace

bool advance_warp() {
  Warp& warp = machine.warp();
  if (machine.mode == Mode::count) {
    merge_warp();
    if (warp.runnable != 0) return true;
  }
  if (warp.waiting == 0) return false;
  const int first = std::countr_zero(warp.waiting);
  const std::uint32_t needed = warp.contribution[first].mask & warp.lanes & ~warp.exited;
  if (warp.uniform && needed == warp.waiting) [[likely]] {
    complete(warp, needed, warp.contribution[first].operation);
  } else {
    complete_groups(warp);
    warp.uniform = false;
  }
  return warp.runnable != 0;
}

bool advance_block() {
  int at_barrier = 0, exited = 0, vote_sum = 0, line = 0, other_line = 0;
  const Warp* stuck = nullptr;
  const int warps = (machine.threads + lanes_per_warp - 1) / lanes_per_warp;
  for (int index = 0; index < warps; ++index) {
    const Warp& warp = machine.warps[index];
    at_barrier += std::popcount(warp.at_barrier);
    exited += std::popcount(warp.exited);
    if (warp.waiting != 0 && !stuck) {
      stuck = &warp;
      machine.select_warp(index);
    }
    for (std::uint32_t left = warp.at_barrier; left != 0;) {
      const int lane = take_lowest(left);
      vote_sum += warp.barrier_vote[lane];
      if (line == 0) line = warp.barrier_line[lane];
      if (warp.barrier_line[lane] != line) other_line = warp.barrier_line[lane];
    }
  }
  if (stuck) report_deadlock(*stuck, at_barrier, exited);
  if (at_barrier == 0) return false;
  if (other_line != 0) {
    raise_block_error(
        "divergent barriers: some threads wait at __syncthreads in line %d, others in %d", line,
        other_line);
  }
  if (exited != 0) {
    raise_block_error(
        "barrier divergence: %d threads wait at __syncthreads in line %d, %d have exited",
        at_barrier, line, exited);
  }
  machine.block_vote = vote_sum;
  intervals.barrier_of_block();
  for (int index = 0; index < warps; ++index) {
    Warp& warp = machine.warps[index];
    warp.runnable = warp.at_barrier;
    warp.at_barrier = 0;
    warp.interval = intervals.next();
  }
  return true;
}

}  // namespace alphasparse::emulator

using alphasparse::emulator::Collective;
using alphasparse::emulator::machine;

extern "C" {

unsigned long long emulator_shuffle(unsigned mask, unsigned long long bits, int argument, int width,
                                    int kind, int line) {
  return alphasparse::emulator::take_part(static_cast<Collective>(kind), mask, bits, argument,
                                          width, line);
}

unsigned emulator_ballot(unsigned mask, int predicate, int line) {
  return static_cast<unsigned>(
      alphasparse::emulator::take_part(Collective::ballot, mask, predicate != 0, 0, 32, line));
}

unsigned emulator_match_any(unsigned mask, unsigned long long bits, int line) {
  return static_cast<unsigned>(
      alphasparse::emulator::take_part(Collective::match_any, mask, bits, 0, 32, line));
}

void emulator_warp_barrier(unsigned mask, int line) {
  alphasparse::emulator::take_part(Collective::barrier, mask, 0, 0, 32, line);
}

unsigned emulator_active_mask() { return machine.warp().lanes & ~machine.warp().exited; }

void emulator_block_barrier(int line) {
  alphasparse::emulator::Warp& warp = machine.warp();
  warp.barrier_line[machine.lane] = line;
  warp.barrier_vote[machine.lane] = 0;
  warp.at_barrier |= 1u << machine.lane;
  alphasparse::emulator::leave_lane();
}

int emulator_block_vote(int predicate, int kind, int line) {
  alphasparse::emulator::Warp& warp = machine.warp();
  warp.barrier_line[machine.lane] = line;
  warp.barrier_vote[machine.lane] = predicate != 0;
  warp.at_barrier |= 1u << machine.lane;
  alphasparse::emulator::leave_lane();
  const int votes = machine.block_vote;
  return kind == 0 ? votes : kind == 1 ? votes == machine.threads : votes != 0;
}

}  // extern "C"
