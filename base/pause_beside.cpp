#include "base/pause_beside.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

namespace alphasparse {

namespace {

/// The works beside callers that go on now, and the pauses.
class WorksBeside {
 public:
  void begin() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return pauses_ == 0; });
    ++works_;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    --works_;
    changed_.notify_all();
  }
  void pause() {
    std::unique_lock lock(mutex_);
    ++pauses_;
    changed_.wait(lock, [&] { return works_ == 0; });
  }
  void end_pauses(int count) {
    const std::lock_guard lock(mutex_);
    pauses_ -= count;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int works_ = 0, pauses_ = 0;
};

WorksBeside all_beside;

constexpr int no_use = -1;
thread_local int pauses_left = no_use;  // those that end with this thread's use of a result

}  // namespace

PauseBeside::PauseBeside() : exceptions_(std::uncaught_exceptions()) { all_beside.pause(); }

PauseBeside::~PauseBeside() {
  const bool is_thrown = std::uncaught_exceptions() > exceptions_;
  if (is_thrown && pauses_left != no_use) {
    ++pauses_left;
  } else {
    all_beside.end_pauses(1);
  }
}

WorkBeside::WorkBeside() { all_beside.begin(); }
WorkBeside::~WorkBeside() { all_beside.end(); }

UseBeside::UseBeside() : pauses_before_(std::exchange(pauses_left, 0)) {}
UseBeside::~UseBeside() { all_beside.end_pauses(std::exchange(pauses_left, pauses_before_)); }

}  // namespace alphasparse
