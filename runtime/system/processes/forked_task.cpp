#include "runtime/system/processes/forked_task.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/result.h"
#include "runtime/system/processes/child_process.h"
#include "runtime/system/processes/reaper.h"

namespace alphasparse {

namespace {

using Size = std::uint64_t;  ///< stands before each message

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

[[noreturn]] void run_and_exit(const std::function<void(const ForkedTask::Report&)>& work,
                               int descriptor) {
  int status = 0;
  try {
    work([descriptor](std::string_view message) {
      const Size size = message.size();
      write_all(descriptor, {reinterpret_cast<const char*>(&size), sizeof size});
      write_all(descriptor, message);
    });
  } catch (const std::exception&) {
    status = 1;
  }
  std::fflush(stderr);
  _exit(status);  // other open files and buffers are not ours
}

Error cannot_start() {
  return Error(ExitCode::no_device,
               fmt::format("another process cannot be started: {}", std::strerror(errno)));
}

}  // namespace

ForkedTask::ForkedTask(const std::function<void(const Report&)>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw cannot_start();
  std::fflush(nullptr);  // buffered text would be written twice
  const pid_t owner = getpid();
  process_ = fork();
  if (process_ == 0) {
    close(ends[0]);
    die_with(owner, 0);
    run_and_exit(work, ends[1]);
  }
  close(ends[1]);
  descriptor_ = ends[0];
  if (process_ >= 0) return;
  const Error error = cannot_start();
  close(descriptor_);
  throw error;
}

ForkedTask::~ForkedTask() {
  if (process_ > 0) kill(process_, SIGKILL);
  how_it_ended();
}

bool ForkedTask::hear(std::vector<std::string>& messages) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(descriptor_, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR;
  if (got == 0) return false;
  unread_.append(buffer.data(), static_cast<std::size_t>(got));
  for (Size size = 0; unread_.size() >= sizeof size;) {
    std::memcpy(&size, unread_.data(), sizeof size);
    if (unread_.size() - sizeof size < size) break;
    messages.push_back(unread_.substr(sizeof size, size));
    unread_.erase(0, sizeof size + size);
  }
  return true;
}

std::string ForkedTask::how_it_ended() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
  if (process_ <= 0) return "";
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  end_groups(process_);
  process_ = -1;
  if (WIFSIGNALED(status)) {
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("exit status {}", WEXITSTATUS(status));
}

}  // namespace alphasparse
