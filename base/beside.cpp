#include "base/beside.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/parallel.h"

namespace alphasparse {

namespace {

/// How far both sides are.
class Progress {
 public:
  /// Waits until everything before `index` has been handed over; false where no more is wanted.
  bool may_begin(std::size_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return taken_ >= index || is_over_; });
    return !is_over_;
  }
  void put() {
    const std::lock_guard lock(mutex_);
    ++finished_;
    changed_.notify_all();
  }
  void end(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
    is_over_ = true;
    changed_.notify_all();
  }

  /// Waits for the next; false where there is none any more.
  bool take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return finished_ > taken_ || is_over_; });
    if (finished_ == taken_) return false;
    ++taken_;
    changed_.notify_all();
    return true;
  }

  std::exception_ptr error() const { return error_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t finished_ = 0, taken_ = 0;
  bool is_over_ = false;
  std::exception_ptr error_;
};

/// Ends the other side and joins it on every way out.
struct Worker {
  Progress& progress;
  std::thread thread;
  ~Worker() {
    if (thread.joinable()) {
      progress.end(nullptr);
      thread.join();
    }
  }
};

}  // namespace

void work_beside(std::size_t count, const std::function<void(std::size_t index)>& work,
                 const std::function<void(std::size_t index)>& done) {
  Progress progress;
  const auto run = [&, cores = static_cast<int>(cores_for_ranges())] {
    const CoresForRanges same_cores(cores);
    try {
      for (std::size_t index = 0; index < count && progress.may_begin(index); ++index) {
        work(index);
        progress.put();
      }
    } catch (...) {
      progress.end(std::current_exception());
    }
  };
  Worker worker{progress, {}};
  try {
    if (count > 1) worker.thread = std::thread(run);
  } catch (const std::system_error&) {  // no thread is left
  }
  if (!worker.thread.joinable()) {
    for (std::size_t index = 0; index < count; ++index) {
      work(index);
      done(index);
    }
    return;
  }
  std::size_t index = 0;
  for (; index < count && progress.take(); ++index) done(index);
  worker.thread.join();
  if (progress.error()) std::rethrow_exception(progress.error());
}

}  // namespace alphasparse
