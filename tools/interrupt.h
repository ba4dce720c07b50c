// interrupt: Ctrl-C and SIGTERM as a flag, so that a search can end with the best so far.
#pragma once
#include <atomic>

namespace alphasparse {

/// From now on the first SIGINT or SIGTERM sets the flag that is returned; the second ends the
/// process as it would have without us.
const std::atomic<bool>& watch_interrupts();

}  // namespace alphasparse
