// progress: how long work is going, on standard error - one live line on a terminal, ten lines in a
// log.
//
//   [####................] 48 s left | search | 34 tried | best 41.2 us measured, 2.10 x baseline
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/device/device.h"
#include "search/trial/trial_loop.h"

namespace alphasparse {

/// The columns of the terminal that a stream is, or `otherwise`.
int terminal_columns(int stream, int otherwise);

/// The text of a search's state, without a line end.
std::string progress_text(const Progress& progress, TimeKind kind);

class ProgressLine {
 public:
  /// The current work, as text without a line end; it gets its own age; called from a thread of the
  /// line's own.
  using Text = std::function<std::string(double seconds_ago)>;

  /// Shows nothing where quiet. A budget of 0: none is known.
  explicit ProgressLine(bool quiet, double seconds_budget = 0);
  /// Clears the live line.
  ~ProgressLine();

  /// Takes the newest state; it is shown now and then, its clock running on.
  void update(Text text);

  /// Makes room for output: the live line goes until it is shown again.
  void clear();

 private:
  void show_until_stopped(const std::stop_token& stop);
  void show();

  const bool live_;
  const std::chrono::duration<double> seconds_between_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable_any wake_;
  Text text_;  // empty: nothing is known yet
  std::chrono::steady_clock::time_point updated_;
  bool shown_ = false;
  std::string logged_;   // the last line of a log: no line comes twice
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace alphasparse
