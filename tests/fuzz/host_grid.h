// host_grid: the threads of a grid as fibers of this process, for kernels compiled behind the
// emulator's shim: the sanitizer that they are compiled with watches their memory.
//
// Threads of a block meet at barriers, votes and shuffles. Threads that wait for others that will
// never come are left there: a damaged format may do that, and it is no fault of memory.
#pragma once
#include <functional>

namespace alphasparse {

/// Runs `kernel` once for every thread; false: some threads of a block waited for ever.
bool run_grid(int blocks, int threads, const std::function<void()>& kernel);

}  // namespace alphasparse
