// processes: the children of a program that a test has started, and whether they are gone.
#pragma once
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace alphasparse {

/// Every live process that was started with `text` in its environment.
std::vector<pid_t> processes_with(const std::string& text);

/// Whether this process started that one, or one that did.
bool is_descendant(pid_t process);

/// The name of the process, at most 15 characters; empty where it is gone or a zombie.
std::string process_name(pid_t process);

/// Whether it is there at all; a zombie is.
bool process_exists(pid_t process);

/// Waits until `what` is so, at most that long; false where it is not then.
bool comes_true(const std::function<bool()>& what, double seconds_max = 20);

/// Starts a shell command in a process group of its own, in `folder`. The caller waits for it.
pid_t start_command(const std::string& folder, const std::string& command);

}  // namespace alphasparse
