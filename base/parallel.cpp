#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/pause_beside.h"
#include "base/time_limit.h"

namespace alphasparse {

namespace {

thread_local int cores_set = 0;  // 0: those of the machine

/// The turns of several threads with `count` indices, and of the caller that takes them.
class Turns {
 public:
  /// At most `ahead` indices are begun and not taken yet.
  Turns(std::size_t count, std::size_t workers, std::size_t ahead)
      : count_(count), ahead_(ahead), running_(workers) {}

  /// The next index to work on; none where no more is to be begun. Waits while too many are ahead.
  std::optional<std::size_t> begin() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return next_ == count_ || next_ - taken_ < ahead_; });
    if (next_ == count_) return std::nullopt;
    return next_++;
  }
  void finish(std::size_t index) {
    const std::lock_guard lock(mutex_);
    finished_.push_back(index);
    changed_.notify_all();
  }
  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    begin_no_more();
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    begin_no_more();
  }
  void end_worker() {
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_all();
  }

  /// The next finished index; none where all are taken and all threads have ended.
  std::optional<std::size_t> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !finished_.empty() || running_ == 0; });
    if (finished_.empty()) return std::nullopt;
    const std::size_t index = finished_.front();
    finished_.pop_front();
    ++taken_;
    changed_.notify_all();
    return index;
  }
  std::exception_ptr error() const { return error_; }

 private:
  void begin_no_more() {
    next_ = count_;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::size_t count_, ahead_;
  std::size_t next_ = 0, taken_ = 0;
  std::deque<std::size_t> finished_;
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

using Work = std::function<void(std::size_t index, std::size_t worker)>;
using Done = std::function<void(std::size_t index)>;

void work_here(std::size_t count, const Work& work, const Done& done) {
  for (std::size_t index = 0; index < count; ++index) {
    work(index, 0);
    if (done) done(index);
  }
}

/// Without `done` the caller is the first of the workers, and `ahead` is `count`.
void work_in_threads(std::size_t count, std::size_t workers, std::size_t ahead, const Work& work,
                     const Done& done) {
  Turns turns(count, workers, ahead);
  const auto run = [&, cores = cores_set, limit = TimeLimit::thread_limit()](std::size_t worker) {
    const CoresForRanges same_cores(cores);
    const TimeLimit same_limit(limit);
    try {
      while (const auto index = turns.begin()) {
        work(*index, worker);
        if (done) turns.finish(*index);
      }
    } catch (...) {
      turns.fail(std::current_exception());
    }
    turns.end_worker();
  };
  {
    Threads threads;
    for (std::size_t worker = done ? 0 : 1; worker < workers; ++worker) {
      if (!start(threads.all, run, worker)) turns.end_worker();
    }
    if (!done) {
      run(0);
    } else if (threads.all.empty()) {
      return work_here(count, work, done);
    }
    try {
      while (const auto index = turns.take()) done(*index);
    } catch (...) {
      turns.stop();
      throw;
    }
  }
  if (turns.error()) std::rethrow_exception(turns.error());
}

}  // namespace

CoresForRanges::CoresForRanges(int cores) : before_(cores_set) { cores_set = cores; }
CoresForRanges::~CoresForRanges() { cores_set = before_; }

std::int64_t cores_for_ranges() {
  // Asking the system reads a file, and each tile of a large format asks.
  static const std::int64_t of_machine = std::max(1U, std::thread::hardware_concurrency());
  return cores_set > 0 ? cores_set : of_machine;
}

void parallel_for(std::size_t count, std::size_t workers, const Work& work, const Done& done) {
  workers = std::min(workers, count);
  if (workers <= 1) return work_here(count, work, done);
  work_in_threads(count, workers, count, work, done);
}

void work_beside(std::size_t count, const std::function<void(std::size_t)>& work,
                 const Done& done) {
  if (count <= 1) {
    return work_here(
        count, [&](std::size_t index, std::size_t) { work(index); }, done);
  }
  std::atomic<bool> is_over = false;
  const auto with_pauses = [&](std::size_t index, std::size_t) {
    const WorkBeside here;
    if (!is_over) work(index);
  };
  const auto use = [&](std::size_t index) {
    const UseBeside here;
    try {
      done(index);
    } catch (...) {
      is_over = true;  // before the pauses end
      throw;
    }
  };
  work_in_threads(count, 1, 1, with_pauses, use);
}

}  // namespace alphasparse
