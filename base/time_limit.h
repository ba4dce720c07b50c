// time_limit: long steps that end early, because nobody waits for them any more.
//
// A caller says when the time is over, and the longest loops look at it now and then. The functions
// between them carry no deadline.
#pragma once
#include <cstdint>
#include <exception>
#include <functional>

namespace alphasparse {

/// The time of a step is over, or the user has stopped it. That says nothing about its subject.
class TimeOver : public std::exception {
 public:
  const char* what() const noexcept override { return "the time is over"; }
};

/// While it lives, end_if_over asks `is_over`: in the thread that made it, and in those that
/// parallel_for starts there. Several threads may ask at once. Null: the time is never over.
class TimeLimit {
 public:
  using IsOver = std::function<bool()>;

  explicit TimeLimit(const IsOver* is_over);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  static const IsOver* thread_limit();  ///< that of this thread; null: none

 private:
  const IsOver* before_;
};

/// Throws TimeOver where the time is over.
void end_if_over();

/// Likewise, for step `step` of a long loop. Looks at the time once in many steps.
inline void end_if_over(std::int64_t step) {
  constexpr std::int64_t steps_between = 1 << 14;
  if (step % steps_between == 0) end_if_over();
}

}  // namespace alphasparse
