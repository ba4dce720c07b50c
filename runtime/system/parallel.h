// parallel: the same work on many things, by several threads.
#pragma once
#include <cstddef>
#include <functional>

namespace alphasparse {

/// Calls work(index, worker) for every index below `count`, by at most `workers` threads whose
/// numbers are below that, and done(index) in the calling thread as each is finished; empty: not
/// asked for. With one worker all of it happens in the calling thread, in order. What `work` throws
/// first is thrown when all threads have ended; what is not begun by then is left.
void parallel_for(std::size_t count, std::size_t workers,
                  const std::function<void(std::size_t index, std::size_t worker)>& work,
                  const std::function<void(std::size_t index)>& done = {});

/// Threads that this machine runs at once, at least 1.
std::size_t machine_threads();

}  // namespace alphasparse
