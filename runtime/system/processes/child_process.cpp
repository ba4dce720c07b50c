#include "runtime/system/processes/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>

#include "runtime/system/processes/reaper.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

/// The folders of PATH that are the same wherever we run: a relative or an empty entry would depend
/// on the current folder.
std::vector<std::string> program_folders() {
  const char* const path = std::getenv("PATH");
  const std::string all = path ? path : "";
  std::vector<std::string> folders;
  for (std::size_t from = 0; from <= all.size();) {
    const std::size_t to = std::min(all.find(':', from), all.size());
    if (all.compare(from, 1, "/") == 0) folders.push_back(all.substr(from, to - from));
    from = to + 1;
  }
  return folders;
}

bool is_program(const std::string& file) {
  struct stat facts {};
  return stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         access(file.c_str(), X_OK) == 0;
}

/// Our environment, but PATH has its absolute folders alone, for children start programs too, and
/// messages are in English: of others we understand nothing. TMPDIR may be another.
std::vector<std::string> child_environment(const ChildOptions& options) {
  std::vector<std::string> variables = {"LC_ALL=C"};
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    const bool is_other = text.starts_with("TMPDIR=") && !options.temporary_folder.empty();
    const bool is_replaced =
        text.starts_with("PATH=") || text.starts_with("LC_ALL=") || text.starts_with("LANGUAGE=");
    if (!is_replaced && !is_other) variables.emplace_back(text);
  }
  if (!options.temporary_folder.empty()) variables.push_back("TMPDIR=" + options.temporary_folder);
  const std::vector<std::string> folders = program_folders();
  variables.push_back(fmt::format(
      "PATH={}", folders.empty() ? "/usr/bin:/bin" : fmt::format("{}", fmt::join(folders, ":"))));
  return variables;
}

/// As exec takes them: pointers to each, then none.
std::vector<char*> list_pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Everything that the child needs between vfork and exec, made before: there it must not allocate.
struct Start {
  std::string program;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  const ChildOptions* options = nullptr;
  int output = -1;
  int errors = -1;
  int nothing = -1;
  pid_t parent = 0;
  volatile int error = 0;  // of exec, seen by the parent: both share memory until then
};

[[noreturn]] void become_child(Start& start) {
  setpgid(0, 0);
  watch_group(getpid(), start.parent);
  die_with(start.parent, 127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(start.nothing, STDIN_FILENO);
  dup2(start.output, STDOUT_FILENO);
  dup2(start.errors, STDERR_FILENO);
  for (const int descriptor : start.options->inherited) fcntl(descriptor, F_SETFD, 0);
  if (start.options->memory_bytes_max > 0) {
    const auto bytes = static_cast<rlim_t>(start.options->memory_bytes_max);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
  }
  if (start.options->cpu_seconds_max > 0) {
    const auto seconds = static_cast<rlim_t>(start.options->cpu_seconds_max);
    const rlimit limit{seconds, seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const std::string& folder = start.options->folder;
  if (!folder.empty() && chdir(folder.c_str()) != 0) {
    start.error = errno;
    _exit(127);
  }
  execve(start.program.c_str(), start.arguments.data(), start.environment.data());
  start.error = errno;
  _exit(127);
}

/// In a function of its own: nothing of the caller's lives in registers that the child may change.
[[gnu::noinline]] pid_t start_child(Start& start) {
  const pid_t child = vfork();
  if (child == 0) become_child(start);
  return child;
}

/// As start_child, where the system refuses vfork. An error of exec is told as an exit status
/// alone.
pid_t start_copied_child(Start& start) {
  const pid_t child = fork();
  if (child == 0) become_child(start);
  return child;
}

/// Reads the bytes that are there into `text`; false at the end of the stream.
bool drain(int descriptor, std::string& text, std::int64_t bytes_max) {
  std::array<char, 16384> buffer;
  const ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  const auto room =
      static_cast<std::size_t>(bytes_max) - std::min<std::size_t>(bytes_max, text.size());
  text.append(buffer.data(), std::min<std::size_t>(room, got));
  return got > 0;
}

double seconds_left(const ChildOptions& options, WaitWatch& waited) {
  return std::min(options.seconds_max - waited.seconds(), options.deadline.seconds_left());
}

/// Reads both streams to their ends; false where the time is over before.
bool read_streams(Pipe& output, Pipe& errors, const ChildOptions& options, WaitWatch& waited,
                  ChildResult& result) {
  constexpr double stop_seconds = 0.1;  // until a stop that did not wake us is seen
  while (output.read_end >= 0 || errors.read_end >= 0) {
    const double left = seconds_left(options, waited);
    if (left <= 0) return false;
    pollfd ends[2] = {{output.read_end, POLLIN, 0}, {errors.read_end, POLLIN, 0}};
    const int ready = poll(ends, 2, static_cast<int>(std::min(left, stop_seconds) * 1000) + 1);
    if (ready <= 0) continue;
    if (ends[0].revents && !drain(output.read_end, result.output, options.output_bytes_max)) {
      Pipe::close_end(output.read_end);
    }
    if (ends[1].revents && !drain(errors.read_end, result.errors, options.output_bytes_max)) {
      Pipe::close_end(errors.read_end);
    }
  }
  return true;
}

/// Waits for the child's end; true where it has ended in time.
bool wait_child(pid_t child, const ChildOptions& options, WaitWatch& waited, int& status,
                rusage& usage) {
  for (auto pause = std::chrono::microseconds(50);;
       pause = std::min(pause * 2, std::chrono::microseconds(5000))) {
    const pid_t ended = wait4(child, &status, WNOHANG, &usage);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return true;
    if (seconds_left(options, waited) <= 0) return false;
    std::this_thread::sleep_for(pause);
  }
}

double to_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

void die_with(pid_t parent, int status) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(status);
}

std::string ChildResult::how_it_ended() const {
  switch (end) {
    case ChildEnd::exited:
      return fmt::format("exit status {}", code);
    case ChildEnd::killed:
      return fmt::format("killed by signal {} ({})", code, strsignal(code));
    case ChildEnd::timed_out:
      return fmt::format("no answer within {:.0f} s", seconds);
    case ChildEnd::not_started:
      break;
  }
  return fmt::format("cannot be started: {}", std::strerror(code));
}

std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    std::error_code error;
    const std::string file = std::filesystem::absolute(name, error).string();
    return !error && is_program(file) ? std::optional(file) : std::nullopt;
  }
  for (const std::string& folder : program_folders()) {
    if (const std::string file = folder + "/" + name; !name.empty() && is_program(file))
      return file;
  }
  return std::nullopt;
}

namespace {

/// How a child ended that ran its program.
void report_end(int status, bool in_time, ChildResult& result) {
  if (!in_time || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
    result.end = ChildEnd::timed_out;
  } else if (WIFSIGNALED(status)) {
    result.end = ChildEnd::killed;
    result.code = WTERMSIG(status);
  } else {
    result.end = ChildEnd::exited;
    result.code = WEXITSTATUS(status);
  }
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const ChildOptions& options) {
  ChildResult result;
  const std::optional<std::string> program = find_program(command.front());
  if (!program) {
    const bool is_path = command.front().find('/') != std::string::npos;
    result.code = is_path && access(command.front().c_str(), F_OK) == 0 ? EACCES : ENOENT;
    return result;
  }
  Pipe output, errors;
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (output.write_end < 0 || errors.write_end < 0 || nothing < 0) {
    result.code = errno;  // of the last that failed: no descriptors are left
    if (nothing >= 0) close(nothing);
    return result;
  }
  Start start;
  start.program = *program;
  const std::vector<std::string> variables = child_environment(options);
  start.arguments = list_pointers(command);
  start.arguments.front() = start.program.data();
  start.environment = list_pointers(variables);
  start.options = &options;
  start.output = output.write_end;
  start.errors = errors.write_end;
  start.nothing = nothing;
  start.parent = getpid();
  WaitWatch waited;
  pid_t child = start_child(start);
  if (child < 0 && (errno == EPERM || errno == ENOSYS)) child = start_copied_child(start);
  const int fork_error = errno;
  close(nothing);
  Pipe::close_end(output.write_end);
  Pipe::close_end(errors.write_end);
  if (child < 0) {
    result.code = fork_error;
    return result;
  }
  int status = 0;
  rusage usage{};
  const bool in_time = read_streams(output, errors, options, waited, result) &&
                       wait_child(child, options, waited, status, usage);
  if (!in_time) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL);  // it may not lead a group of its own
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
    }
  }
  forget_group(child);
  result.seconds = waited.seconds();
  result.cpu_seconds = to_seconds(usage.ru_utime) + to_seconds(usage.ru_stime);
  if (start.error != 0) {
    result.code = start.error;
  } else {
    report_end(status, in_time, result);
  }
  return result;
}

}  // namespace alphasparse
