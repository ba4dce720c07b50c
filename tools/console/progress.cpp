#include "tools/console/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "base/printable.h"

namespace alphasparse {

namespace {

using std::chrono::steady_clock;

/// "[####................] 48 s left", or the seconds so far where there is no budget.
std::string clock_text(const Progress& progress) {
  constexpr int width = 20;
  if (progress.seconds_budget <= 0) return fmt::format("{:.0f} s", progress.seconds);
  const double done = std::clamp(progress.seconds / progress.seconds_budget, 0.0, 1.0);
  return fmt::format("[{:.<{}}] {:.0f} s left",
                     std::string(static_cast<std::size_t>(done * width), '#'), width,
                     std::max(0.0, progress.seconds_budget - progress.seconds));
}

/// In a log a line each tenth of the budget, or each 10 s where there is none.
std::chrono::duration<double> seconds_between(bool live, double seconds_budget) {
  if (live) return std::chrono::duration<double>(0.25);
  return std::chrono::duration<double>(seconds_budget > 0 ? seconds_budget / 10 : 10);
}

/// The first words that fit.
std::string shortened(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, text.rfind(' ', width));
}

}  // namespace

int terminal_columns(int stream, int otherwise) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return size.ws_col;
}

std::string progress_text(const Progress& progress, TimeKind kind) {
  std::string text = clock_text(progress);
  if (!progress.part.empty()) text += " | " + progress.part;
  text += fmt::format(" | {} tried", progress.trials);
  if (!progress.of_what.empty()) text += " | " + progress.of_what;
  if (!progress.best || !progress.best->timing) return text;
  const double time_us = progress.best->timing->time_us;
  text += fmt::format(" | best {:.4g} us {}", time_us, time_kind_name(kind));
  if (progress.baseline_us && progress.of_what.empty())
    text += fmt::format(", {:.2f} x baseline", *progress.baseline_us / time_us);
  return text;
}

ProgressLine::ProgressLine(bool quiet, double seconds_budget)
    : live_(isatty(STDERR_FILENO) == 1), seconds_between_(seconds_between(live_, seconds_budget)) {
  if (!quiet) thread_ = std::jthread([this](const std::stop_token& s) { show_until_stopped(s); });
}

ProgressLine::~ProgressLine() {
  thread_ = std::jthread();
  clear();
}

void ProgressLine::update(Text text) {
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
  updated_ = steady_clock::now();
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (live_ && shown_) std::fputs("\r\033[K", stderr);
  text_ = {};
  shown_ = false;
}

void ProgressLine::show_until_stopped(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, seconds_between_, [] { return false; });
    if (!stop.stop_requested() && text_) show();
  }
}

void ProgressLine::show() {
  const std::chrono::duration<double> age = steady_clock::now() - updated_;
  const std::string text = printable(text_(age.count()));
  if (live_) {
    const auto width = static_cast<std::size_t>(terminal_columns(STDERR_FILENO, 80) - 1);
    std::fprintf(stderr, "\r%s\033[K", shortened(text, width).c_str());
    std::fflush(stderr);
  } else if (text != logged_) {
    std::fprintf(stderr, "alphasparse: %s\n", text.c_str());
    logged_ = text;
  }
  shown_ = true;
}

}  // namespace alphasparse
