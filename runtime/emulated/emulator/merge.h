// merge: the lanes' traces put together again into the instructions of their warp.
//
// A warp executes one instruction for those of its lanes that stand at it. Diverged lanes meet
// again where their ways join. g++ -O1 lays code out in program order (nothing is reordered, all
// calls are inlined). So the lanes that are furthest behind are those at the lowest address. Taking
// the lowest address of all lanes' next records, again and again, brings lanes together where a GPU
// does ("thread frontiers"). Basic blocks are recorded too, or a lane that skips a branch would
// overtake.
#pragma once
#include <cstddef>

#include "runtime/emulated/emulator/access.h"

namespace alphasparse::emulator {

/// Records that a lane may leave before it is paused.
inline constexpr std::size_t trace_records = 8192;

/// Where a lane's trace begins; lanes' traces lie in different cache sets.
Access* trace_of_lane(int lane);

/// The current warp has no runnable lane. Merges the records of its lanes, adds them to the counts,
/// and makes those paused lanes runnable that ran dry. Mode count only.
void merge_warp();

}  // namespace alphasparse::emulator
