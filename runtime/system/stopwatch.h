// stopwatch: how long something has taken, by a clock that nobody sets.
#pragma once
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

}  // namespace alphasparse
