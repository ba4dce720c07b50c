// parallel: the same work on many things, by several threads, or by one thread beside the caller.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>

namespace alphasparse {

/// While it lives, for_ranges (ranges.h) counts so many cores in the thread that made it and in the
/// threads that parallel_for starts there. The results are the same for any number.
class CoresForRanges {
 public:
  explicit CoresForRanges(int cores);
  ~CoresForRanges();
  CoresForRanges(const CoresForRanges&) = delete;
  CoresForRanges& operator=(const CoresForRanges&) = delete;

 private:
  int before_;
};

/// The number that for_ranges counts in this thread; without a CoresForRanges the machine's.
std::int64_t cores_for_ranges();

/// Calls work(index, worker) for every index below `count`, by at most `workers` threads, numbered
/// from 0. The calling thread calls done(index) as each is finished. Without `done` it works too;
/// with one worker it does everything, in order. The first exception of `work` is thrown when all
/// threads have ended; indices that no thread has begun by then are left out.
void parallel_for(std::size_t count, std::size_t workers,
                  const std::function<void(std::size_t index, std::size_t worker)>& work,
                  const std::function<void(std::size_t index)>& done = {});

/// Calls work(index) for every index below `count` in a thread of its own, in order. Calls
/// done(index) here as each is finished. While one is used here, the next is worked on, and no
/// other: its work begins when the one before has come here. Works here where the system gives no
/// thread. Exceptions of `work` are those of parallel_for. An exception of `done` ends the work and
/// is thrown here. Hangs where the calling thread holds a PauseBeside.
void work_beside(std::size_t count, const std::function<void(std::size_t index)>& work,
                 const std::function<void(std::size_t index)>& done);

}  // namespace alphasparse
