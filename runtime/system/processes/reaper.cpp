#include "runtime/system/processes/reaper.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <map>
#include <system_error>
#include <vector>

namespace alphasparse {

namespace fs = std::filesystem;

namespace {

/// A message to the reaper; the pipe takes one whole or not at all.
struct Message {
  enum Kind : int { watch, forget, end_all };
  Kind kind;
  pid_t group;
  pid_t owner;
};

std::atomic<int> reaper_end = -1;  // of the pipe; forks have it too

void send(const Message& message) {
  const int error = errno;
  const int end = reaper_end.load(std::memory_order_relaxed);
  if (end >= 0) [[maybe_unused]]
    const ssize_t sent = write(end, &message, sizeof message);
  errno = error;
}

/// The groups by number, with their owners.
using Groups = std::map<pid_t, pid_t>;

/// Kills the processes that a process has started, and those that they have started.
void end_all(pid_t owner, Groups& groups) {
  std::vector<pid_t> ended;
  for (const auto& [group, its_owner] : groups) {
    if (its_owner == owner) ended.push_back(group);
  }
  for (const pid_t group : ended) {
    kill(-group, SIGKILL);
    groups.erase(group);
  }
  for (const pid_t group : ended) end_all(group, groups);
}

void take(const Message& message, Groups& groups) {
  switch (message.kind) {
    case Message::watch:
      groups[message.group] = message.owner;
      break;
    case Message::forget:
      groups.erase(message.group);
      break;
    case Message::end_all:
      end_all(message.owner, groups);
  }
}

/// Until the pipe's other end is nowhere open.
Groups listen() {
  Groups groups;
  Message message{};
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, &message, sizeof message);
    if (got == sizeof message) take(message, groups);
    if (got == 0 || (got < 0 && errno != EINTR)) return groups;
  }
}

[[noreturn]] void keep(int pipe_end, const fs::path& folder) {
  setsid();
  prctl(PR_SET_NAME, "alphasparse-tidy");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
  // A process that waits for the end of our outputs does not wait for the reaper.
  dup2(pipe_end, STDIN_FILENO);
  if (syscall(SYS_close_range, 1U, ~0U, 0U) != 0) {
    constexpr int descriptors_max = 4096;
    for (int descriptor = 1; descriptor < descriptors_max; ++descriptor) close(descriptor);
  }
  for (const auto& [group, owner] : listen()) kill(-group, SIGKILL);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  _exit(0);
}

}  // namespace

/// A grandchild, so that nobody has to wait for it. Writing to our end never blocks: a reaper that
/// was stopped gets no more messages.
void start_reaper(const fs::path& folder) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    if (fork() == 0) keep(ends[0], folder);
    _exit(0);
  }
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  reaper_end = ends[1];  // one from before stays open: its folder is kept too
}

void watch_group(pid_t group, pid_t owner) { send({Message::watch, group, owner}); }
void forget_group(pid_t group) { send({Message::forget, group, 0}); }
void end_groups(pid_t owner) { send({Message::end_all, 0, owner}); }

}  // namespace alphasparse
