// interrupt: Ctrl-C, SIGTERM and a terminal that closes as a flag, so that a search can end with
// the best so far.
#pragma once
#include <atomic>

namespace alphasparse {

/// From now on the first SIGINT, SIGTERM or SIGHUP sets the flag that is returned; the second of a
/// kind ends the process as it would have without us. One that is ignored, as under nohup, stays
/// so. Processes that are forked later share the flag. Nor does a reader of our output that goes
/// away end the process: writing fails instead.
const std::atomic<bool>& watch_interrupts();

}  // namespace alphasparse
