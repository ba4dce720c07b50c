// deadline: the time until which a caller waits for some work.
#pragma once
#include <atomic>
#include <chrono>
#include <limits>
#include <optional>

namespace alphasparse {

struct Deadline {
  using Clock = std::chrono::steady_clock;

  /// So many seconds from then on.
  static Clock::time_point after(double seconds, Clock::time_point start = Clock::now()) {
    return start +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  std::optional<Clock::time_point> time;    ///< none: as long as it takes
  const std::atomic<bool>* stop = nullptr;  ///< set from outside, as by Ctrl-C; null: never

  double seconds_left() const {
    if (stop && *stop) return 0;
    if (!time) return std::numeric_limits<double>::infinity();
    return std::chrono::duration<double>(*time - Clock::now()).count();
  }
  bool over() const { return seconds_left() <= 0; }
};

}  // namespace alphasparse
