#include "runtime/system/processes/parent_pipe.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>

namespace alphasparse {

namespace {

constexpr const char* variable = "ALPHASPARSE_LIFELINE";
constexpr auto time_to_end = std::chrono::milliseconds(600);

/// The pipe's end that the variable names; none where it names anything else.
std::optional<int> named_pipe() {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  int number = -1;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), number);
  struct stat facts {};
  const bool is_pipe = error == std::errc() && *end == '\0' && number > STDERR_FILENO &&
                       fstat(number, &facts) == 0 && S_ISFIFO(facts.st_mode);
  return is_pipe ? std::optional(number) : std::nullopt;
}

/// Waits until no process has the pipe open for writing; no process writes into it.
void wait_for_end(int pipe) {
  char byte = 0;
  for (;;) {
    const ssize_t got = read(pipe, &byte, 1);
    if (got == 0 || (got < 0 && errno != EINTR)) return;
  }
}

void end_with(int pipe) {
  sigset_t all;  // signals are for the thread that works
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  wait_for_end(pipe);
  kill(getpid(), SIGTERM);
  std::this_thread::sleep_for(time_to_end);
  kill(getpid(), SIGKILL);
}

}  // namespace

void watch_parent() {
  const std::optional<int> pipe = named_pipe();
  unsetenv(variable);  // programs that we start have none
  if (!pipe) return;
  fcntl(*pipe, F_SETFD, FD_CLOEXEC);
  try {
    std::thread(end_with, *pipe).detach();
  } catch (const std::system_error&) {  // no thread: then the search ends with its time
  }
}

}  // namespace alphasparse
