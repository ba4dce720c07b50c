// parent_pipe: a search ends with the process that has started it for itself, as Python does.
//
// That process keeps one end of a pipe and hands us the other; ALPHASPARSE_LIFELINE holds its
// number. The pipe ends when that process does, in any way. A shell hands over nothing: a process
// that it starts outlives it where it is told to (nohup, setsid).
#pragma once

namespace alphasparse {

/// From now on the end of the pipe interrupts this process as SIGTERM does, and ends it shortly
/// after: no process is left to take its results. Everything measured by then is in the database.
void watch_parent();

}  // namespace alphasparse
