// collective: barriers, shuffles and votes: the lanes that wait for others, and the value that each
// gets.
#pragma once
#include "runtime/emulated/emulator/machine.h"

namespace alphasparse::emulator {

/// The current warp has no runnable lane left. Releases the lanes with a complete operation, and
/// those that paused with a trace that has since been merged. False where nobody can go on.
bool advance_warp();

/// All warps of the block have settled. Releases a barrier of the block that all threads reached,
/// true; false where the block has ended. Any other state is a deadlock, and ends in fault().
bool advance_block();

}  // namespace alphasparse::emulator
