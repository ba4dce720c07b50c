#include "generator/ranges.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace alphasparse {

namespace {

/// Threads that are joined on every way out.
struct Team {
  std::vector<std::thread> threads;
  ~Team() { join(); }
  void join() {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
  }
};

thread_local int cores_set = 0;  // 0: those of the machine

std::int64_t cores_of_ranges() {
  return cores_set > 0 ? cores_set : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

CoresForRanges::CoresForRanges(int cores) : before_(cores_set) { cores_set = cores; }
CoresForRanges::~CoresForRanges() { cores_set = before_; }

void for_ranges(std::int64_t count,
                const std::function<void(std::int64_t first, std::int64_t end)>& work,
                std::int64_t least) {
  const std::int64_t ranges = std::clamp<std::int64_t>(count / least, 1, cores_of_ranges());
  if (ranges == 1) {
    if (count > 0) work(0, count);
    return;
  }
  std::vector<std::exception_ptr> errors(ranges);
  const auto run = [&](std::int64_t range) {
    try {
      // Without overflow: 2^31 entries by some hundred cores.
      work(count * range / ranges, count * (range + 1) / ranges);
    } catch (...) {
      errors[range] = std::current_exception();
    }
  };
  {
    Team team;
    for (std::int64_t range = 1; range < ranges; ++range) {
      try {
        team.threads.emplace_back(run, range);
      } catch (const std::system_error&) {  // no more threads: then it is done here
        run(range);
      }
    }
    run(0);
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace alphasparse
