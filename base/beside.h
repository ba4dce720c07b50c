// beside: work in order in another thread, and the use of each result in this one.
#pragma once
#include <cstddef>
#include <functional>

namespace alphasparse {

/// Calls work(index) for every index below `count` in a thread of its own, in order. Calls
/// done(index) here as each is finished. While one is used here, the next is worked on, and no
/// other: its work begins when the one before has come here. Works here where the system gives no
/// thread. The first exception of either is thrown when the thread has ended. Indices that it has
/// not begun by then are left out.
void work_beside(std::size_t count, const std::function<void(std::size_t index)>& work,
                 const std::function<void(std::size_t index)>& done);

}  // namespace alphasparse
