#include "search/evaluation/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace alphasparse {

namespace {

constexpr double quiet_most = 1.1;  // a share of a time: as much is no other load

}  // namespace

Reference::Reference(std::function<std::optional<double>()> time_now_us, const Options& options)
    : time_now_us_(std::move(time_now_us)), options_(options) {}

Reference::Reference(std::function<std::optional<double>()> time_now_us, double wait_seconds)
    : Reference(std::move(time_now_us), Options{.wait_seconds = wait_seconds}) {}

bool Reference::is_slow(double us, double quiet_us) { return us > quiet_most * quiet_us; }

void Reference::ask() {
  now_us_ = time_now_us_();
  if (now_us_ && *now_us_ <= 0) now_us_.reset();
  since_.emplace();
}

void Reference::pause() const {
  std::this_thread::sleep_for(std::chrono::duration<double>(options_.pause_seconds));
}

std::optional<double> Reference::least_us() {
  const double seconds = std::min(options_.settling_seconds, options_.wait_seconds);
  const Stopwatch settling;
  ask();
  std::optional<double> least = now_us_;
  while (now_us_ && settling.seconds() < seconds) {
    pause();
    ask();
    if (now_us_) least = std::min(*least, *now_us_);
  }
  waited_seconds_ += settling.seconds();
  return least;
}

double Reference::factor(double recorded_us) {
  if (recorded_us <= 0) return 1;
  if (!since_ || since_->seconds() >= options_.fresh_seconds) ask();
  const Stopwatch waiting;
  while (now_us_ && is_slow(*now_us_, recorded_us) &&
         waited_seconds_ + waiting.seconds() < options_.wait_seconds) {
    pause();
    ask();
  }
  waited_seconds_ += waiting.seconds();
  return now_us_ ? recorded_us / *now_us_ : 1;
}

bool Reference::has_moved() {
  const std::optional<double> before = now_us_;
  ask();
  return before && now_us_ && is_slow(std::max(*before, *now_us_), std::min(*before, *now_us_));
}

void normalise(Measurement& outcome, double factor) {
  if (!outcome.timing || factor == 1) return;
  Timing& timing = *outcome.timing;
  for (double* const us : {&timing.time_us, &timing.time_us_p20, &timing.time_us_p80})
    *us *= factor;
  for (std::optional<double>* const us : {&timing.time_us_min, &outcome.bound_us})
    if (*us) **us *= factor;
  add_note(timing, fmt::format("{:.4f} of what was measured, by the reference beside it", factor));
}

}  // namespace alphasparse
