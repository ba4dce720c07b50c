#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace alphasparse {

namespace {

thread_local int cores_set = 0;  // 0: those of the machine

/// The results that the threads have finished and the caller has not taken yet.
class Finished {
 public:
  explicit Finished(std::size_t workers) : running_(workers) {}

  void put(std::size_t index) {
    const std::lock_guard<std::mutex> lock(mutex_);
    indices_.push_back(index);
    changed_.notify_one();
  }
  void fail(std::exception_ptr error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!error_) error_ = std::move(error);
  }
  void end_worker() {
    const std::lock_guard<std::mutex> lock(mutex_);
    --running_;
    changed_.notify_one();
  }

  /// Takes the next index; false where all are done.
  bool take(std::size_t& index) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !indices_.empty() || running_ == 0; });
    if (indices_.empty()) return false;
    index = indices_.front();
    indices_.pop_front();
    return true;
  }
  std::exception_ptr error() const { return error_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> indices_;
  std::size_t running_;
  std::exception_ptr error_;
};

/// Joins on every way out.
struct Threads {
  std::vector<std::thread> all;
  ~Threads() {
    for (std::thread& thread : all) thread.join();
  }
};

/// False where the system refuses another thread: the others do its work.
template <class Run>
bool start(std::vector<std::thread>& threads, const Run& run, std::size_t worker) {
  try {
    threads.emplace_back(run, worker);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

CoresForRanges::CoresForRanges(int cores) : before_(cores_set) { cores_set = cores; }
CoresForRanges::~CoresForRanges() { cores_set = before_; }

std::int64_t cores_for_ranges() {
  // Asking the system reads a file, and each tile of a large format asks.
  static const std::int64_t of_machine = std::max(1U, std::thread::hardware_concurrency());
  return cores_set > 0 ? cores_set : of_machine;
}

void parallel_for(std::size_t count, std::size_t workers,
                  const std::function<void(std::size_t, std::size_t)>& work,
                  const std::function<void(std::size_t)>& done) {
  workers = std::min(workers, count);
  const auto serially = [&] {
    for (std::size_t index = 0; index < count; ++index) {
      work(index, 0);
      if (done) done(index);
    }
  };
  if (workers <= 1) return serially();
  Finished finished(workers);
  std::atomic<std::size_t> next = 0;
  const auto run = [&, cores = cores_set](std::size_t worker) {
    const CoresForRanges same_cores(cores);
    try {
      for (std::size_t index = next++; index < count; index = next++) {
        work(index, worker);
        if (done) finished.put(index);
      }
    } catch (...) {
      finished.fail(std::current_exception());
      next = count;
    }
    finished.end_worker();
  };
  {
    Threads threads;
    for (std::size_t worker = done ? 0 : 1; worker < workers; ++worker) {
      if (!start(threads.all, run, worker)) finished.end_worker();
    }
    if (!done) {
      run(0);
    } else if (threads.all.empty()) {
      return serially();
    }
    try {
      for (std::size_t index = 0; finished.take(index);) done(index);
    } catch (...) {  // of `done`: the rest is not begun
      next = count;
      throw;
    }
  }
  if (finished.error()) std::rethrow_exception(finished.error());
}

}  // namespace alphasparse
