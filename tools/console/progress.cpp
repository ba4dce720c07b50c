#include "tools/console/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "base/printable.h"

namespace alphasparse {

namespace {

using std::chrono::steady_clock;

}  // namespace

int terminal_columns(int stream, int otherwise) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return size.ws_col;
}

std::string progress_text(const Progress& progress, TimeKind kind) {
  std::string text = fmt::format("{:.0f}", progress.seconds);
  if (progress.seconds_budget > 0) text += fmt::format("/{:.0f}", progress.seconds_budget);
  text += " s";
  if (!progress.part.empty()) text += " | " + progress.part;
  text += fmt::format(" | {} tried, {} failed", progress.trials, progress.failures);
  if (!progress.of_what.empty()) text += " | " + progress.of_what;
  if (progress.best && progress.best->timing) {
    text += fmt::format(" | best {:.4g} us {}: {}", progress.best->timing->time_us,
                        time_kind_name(kind), progress.best->design);
  } else if (!progress.trying.empty()) {
    text += " | trying " + progress.trying;
  }
  return text;
}

ProgressLine::ProgressLine(bool quiet) : live_(isatty(STDERR_FILENO) == 1) {
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
  const auto interval = live_ ? std::chrono::milliseconds(250) : std::chrono::milliseconds(10'000);
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, interval, [] { return false; });
    if (!stop.stop_requested() && text_) show();
  }
}

void ProgressLine::show() {
  const std::chrono::duration<double> age = steady_clock::now() - updated_;
  std::string text = printable(text_(age.count()));
  if (live_) {
    const auto width = static_cast<std::size_t>(terminal_columns(STDERR_FILENO, 80) - 1);
    if (text.size() > width) text.resize(width);
    std::fprintf(stderr, "\r%s\033[K", text.c_str());
    std::fflush(stderr);
  } else {
    std::fprintf(stderr, "alphasparse: %s\n", text.c_str());
  }
  shown_ = true;
}

}  // namespace alphasparse
