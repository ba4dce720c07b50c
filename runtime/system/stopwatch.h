// stopwatch: how long something has taken, by a clock that nobody sets.
#pragma once
#include <algorithm>
#include <chrono>

namespace alphasparse {

class Stopwatch {
 public:
  /// Since it was made.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// How long a process has waited for others: while it was stopped, as by Ctrl-Z, it has not.
class WaitWatch {
 public:
  /// Since it was made, if it is called several times a second: of each longer pause a second
  /// counts.
  double seconds() {
    seconds_ += std::min(lap_.seconds(), 1.0);
    lap_ = {};
    return seconds_;
  }

 private:
  Stopwatch lap_;
  double seconds_ = 0;
};

}  // namespace alphasparse
