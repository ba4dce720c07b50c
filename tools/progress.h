// progress: how a search is going, on standard error - one live line on a terminal, a heartbeat
// every 10 s in a log.
//
//   12/60 s | 34 tried, 3 failed | best 41.2 us (modelled) csr-vector ... | trying compress | ...
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/device.h"
#include "search/trial_loop.h"

namespace alphasparse {

/// The text of a state, without a line end.
std::string progress_text(const Progress& progress, TimeKind kind);

class ProgressLine {
 public:
  /// Shows nothing where quiet.
  ProgressLine(TimeKind kind, bool quiet);
  /// Clears the live line.
  ~ProgressLine();

  /// Takes the newest state; it is shown by a thread of its own, its clock running on.
  void update(const Progress& progress);

 private:
  void show_until_stopped(const std::stop_token& stop);
  void show();

  const TimeKind kind_;
  const bool live_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any wake_;
  Progress progress_;
  std::chrono::steady_clock::time_point updated_;
  bool known_ = false;
  bool shown_ = false;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace alphasparse
