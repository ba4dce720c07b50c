#include "runtime/emulated/emulator/run.h"

#include <algorithm>

#include "runtime/emulated/emulator/collective.h"
#include "runtime/emulated/emulator/counts.h"
#include "runtime/emulated/emulator/machine.h"
#include "runtime/emulated/emulator/merge.h"
#include "runtime/emulated/emulator/shadow.h"
#include "runtime/emulated/emulator/survey.h"

namespace alphasparse::emulator {

Machine machine;

namespace {

void lane_main();

/// Makes `lane` of the current warp the running one and goes to it; *save is where we come back.
void enter_lane(int lane, void** save) {
  Warp& warp = machine.warp();
  warp.runnable &= ~(1u << lane);
  machine.lane = lane;
  machine.trace_next = warp.trace_end[lane];
  machine.trace_stop = trace_of_lane(lane) + trace_records;
  if (warp.unstarted >> lane & 1) {
    warp.unstarted &= ~(1u << lane);
    warp.stack[lane] = machine.stacks.take();
    warp.stack_pointer[lane] = prepare_fiber(warp.stack[lane], lane_main);
  }
  emulator_switch(save, warp.stack_pointer[lane]);
}

/// Goes on with the next lane of the warp, or with the scheduler.
void go_on(void** save) {
  Warp& warp = machine.warp();
  if (warp.runnable != 0) {
    enter_lane(next_lane(warp.runnable, machine.lanes_reversed), save);
  } else {
    emulator_switch(save, machine.scheduler);
  }
}

/// Runs the kernel for one lane after another: where a lane ends, the next that has not begun takes
/// its stack, so that kernels without barriers hardly ever switch.
void lane_main() {
  for (;;) {
    machine.entry(machine.arrays, machine.x, machine.distances.x, machine.y, machine.distances.y,
                  &machine.scaling.alpha.re, &machine.scaling.beta.re);
    Warp& warp = machine.warp();
    const int ended = machine.lane;
    warp.exited |= 1u << ended;
    warp.trace_end[ended] = machine.trace_next;
    const int next = warp.runnable ? next_lane(warp.runnable, machine.lanes_reversed) : -1;
    if (next < 0 || (warp.unstarted >> next & 1) == 0) {
      machine.stacks.give(warp.stack[ended]);  // nobody takes it before we have left it
      void* never = nullptr;
      go_on(&never);
    }
    warp.runnable &= ~(1u << next);
    warp.unstarted &= ~(1u << next);
    warp.stack[next] = warp.stack[ended];
    machine.lane = next;
    machine.trace_next = warp.trace_end[next];
    machine.trace_stop = trace_of_lane(next) + trace_records;
  }
}

/// Runs the current warp until each lane has exited or waits for lanes that cannot come by
/// themselves.
void run_warp() {
  Warp& warp = machine.warp();
  while (warp.runnable != 0 || advance_warp()) {
    enter_lane(next_lane(warp.runnable, machine.lanes_reversed), &machine.scheduler);
  }
}

/// Basic blocks that the block's lanes have entered.
std::int64_t run_block(const Job& job, std::int64_t block, double stands_for = 1) {
  machine.block = block;
  intervals.begin_block(block);
  const int warps = (machine.threads + lanes_per_warp - 1) / lanes_per_warp;
  for (int index = 0; index < warps; ++index) {
    Warp& warp = machine.warps[index];
    const int lanes = std::min(lanes_per_warp, machine.threads - index * lanes_per_warp);
    warp.lanes = lanes == lanes_per_warp ? ~0u : (1u << lanes) - 1;
    warp.runnable = warp.unstarted = warp.lanes;
    warp.waiting = warp.at_barrier = warp.paused = warp.exited = 0;
    warp.interval = intervals.next();
    warp.blocks_left = job.blocks_entered_max;
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      warp.trace_begin[lane] = warp.trace_end[lane] = trace_of_lane(lane);
    }
  }
  const bool counting = machine.mode == Mode::count;
  if (counting) counter.begin_block(warps, stands_for);
  do {
    for (int index = 0; index < warps; ++index) {
      machine.select_warp(index);
      run_warp();
    }
    machine.select_warp(0);
    machine.lane = 0;
  } while (advance_block());
  if (counting) counter.end_block(warps);
  std::int64_t entered = 0;
  for (int index = 0; index < warps; ++index)
    entered += job.blocks_entered_max - machine.warps[index].blocks_left;
  return entered;
}

/// Every block once, uncounted; then those that are drawn, counted.
void count_drawn(const Job& job, const JobLaunch& launch) {
  machine.mode = Mode::survey;
  survey.begin_launch(job);
  for (std::int64_t block = 0; block < launch.blocks; ++block)
    survey.end_block(block, run_block(job, block));
  machine.mode = Mode::count;
  counter.begin_launch(job, launch);
  for (const DrawnBlock& drawn : survey.draw(job.sample.stride))
    run_block(job, drawn.block, drawn.stands_for);
}

bool is_sampled(const JobSample& sample, std::int64_t block, std::int64_t blocks) {
  const std::int64_t chunk = block / sample.chunk;
  return chunk % sample.stride == 0 || chunk == (blocks - 1) / sample.chunk;
}

}  // namespace

void leave_lane() {
  Warp& warp = machine.warp();
  const int lane = machine.lane;
  warp.trace_end[lane] = machine.trace_next;
  if (warp.runnable == 0 && advance_warp() && (warp.runnable >> lane & 1) != 0) {
    warp.runnable &= ~(1u << lane);  // the last to come: goes on at once
    machine.trace_next = warp.trace_end[lane];
    return;
  }
  go_on(&warp.stack_pointer[lane]);
}

void run_launch(const Job& job, const JobLaunch& launch) {
  machine.blocks = launch.blocks;
  machine.threads = launch.threads;
  intervals.begin_launch();
  if (machine.mode == Mode::count && job.sample.stride > 1) {
    count_drawn(job, launch);
    machine.block = -1;
    return;
  }
  if (machine.mode == Mode::count) counter.begin_launch(job, launch);
  const auto [first, end] = machine.team.find_share(launch.blocks);
  for (std::int64_t block = first; block < end; ++block) {
    if (is_sampled(job.sample, block, launch.blocks)) run_block(job, block);
  }
  machine.block = -1;
}

LaunchCounts counts_of_launch(const Job& job) {
  LaunchCounts counts = counter.end_launch();
  if (job.sample.stride > 1) survey.put_into(counts);
  return counts;
}

}  // namespace alphasparse::emulator
