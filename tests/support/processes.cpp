#include "tests/support/processes.h"

#include <unistd.h>

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/support/files.h"

namespace alphasparse {

namespace {

std::string file_of(pid_t process, const std::string& name) {
  return "/proc/" + std::to_string(process) + "/" + name;
}

}  // namespace

std::vector<pid_t> processes_with(const std::string& text) {
  std::vector<pid_t> found;
  std::error_code gone;  // processes end while we look
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const std::string name = entry.path().filename();
    if (std::isdigit(static_cast<unsigned char>(name.front())) == 0) continue;
    const pid_t process = std::stoi(name);
    if (contents(file_of(process, "environ")).find(text) != std::string::npos) {
      found.push_back(process);
    }
  }
  return found;
}

bool is_descendant(pid_t process) {
  const std::string head = "\nPPid:\t";
  while (process > 1 && process != getpid()) {
    const std::string status = contents(file_of(process, "status"));
    const std::size_t at = status.find(head);
    if (at == std::string::npos) return false;
    process = std::atoi(status.c_str() + at + head.size());
  }
  return process == getpid();
}

std::string process_name(pid_t process) {
  if (contents(file_of(process, "status")).find("\nState:\tZ") != std::string::npos) return "";
  const std::string name = contents(file_of(process, "comm"));
  return name.substr(0, name.find('\n'));
}

bool process_exists(pid_t process) { return !contents(file_of(process, "status")).empty(); }

bool comes_true(const std::function<bool()>& what, double seconds_max) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds_max);
  while (!what()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

pid_t start_command(const std::string& folder, const std::string& command) {
  const pid_t process = fork();
  if (process == 0) {
    setpgid(0, 0);
    if (chdir(folder.c_str()) == 0) {
      execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    }
    _exit(9);
  }
  setpgid(process, process);
  return process;
}

}  // namespace alphasparse
