// conductor: a thread of its own that runs the functions it is given, one after the other. OpenMP
// keeps its threads with the thread that first asked for them, and a worker's first one was forked.
#pragma once
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace alphasparse {

class Conductor {
 public:
  Conductor() : thread_([this] { work(); }) {}
  ~Conductor() {
    signal(nullptr, true);
    thread_.join();
  }
  Conductor(const Conductor&) = delete;
  Conductor& operator=(const Conductor&) = delete;

  /// Runs the function there, and returns when it is done; throws here the exception that it
  /// throws.
  void run(const std::function<void()>& what) {
    signal(&what, false);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return what_ == nullptr; });
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void signal(const std::function<void()>* what, bool ends) {
    const std::lock_guard lock(mutex_);
    what_ = what;
    ends_ = ends;
    changed_.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return what_ != nullptr || ends_; });
      if (ends_) return;
      lock.unlock();
      std::exception_ptr error;
      try {
        (*what_)();
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      error_ = error;
      what_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  const std::function<void()>* what_ = nullptr;
  bool ends_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace alphasparse
