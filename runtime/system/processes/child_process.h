// child_process: runs a program with limits on its time and memory, and hands back its output.
//
// A child is the leader of a process group of its own: an interrupt at the terminal reaches us
// alone, and a limit ends the child with everything that it has started. It dies with the thread
// that runs it.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/system/deadline.h"

namespace alphasparse {

/// In a child that was forked by `parent`: it is killed when the thread that forked it ends, and
/// ends with `status` where that has happened already.
void die_with(pid_t parent, int status);

struct ChildOptions {
  double seconds_max = 60;                  ///< of wall-clock time; then the whole group is killed
  std::int64_t cpu_seconds_max = 0;         ///< of processor time of the child; 0: no limit
  Deadline deadline;                        ///< where it is over, the group is killed too
  std::int64_t memory_bytes_max = 0;        ///< of address space; 0: no limit
  std::int64_t output_bytes_max = 1 << 20;  ///< kept of each stream; the rest is read and dropped
  std::vector<int> inherited;               ///< descriptors that the child keeps, same numbers
  std::string folder;                       ///< it runs in; empty: ours
  std::string temporary_folder;             ///< its TMPDIR; empty: ours
};

enum class ChildEnd { exited, killed, timed_out, not_started };

struct ChildResult {
  ChildEnd end = ChildEnd::not_started;
  int code = 0;  ///< exit status, signal, or errno where it was not started
  double seconds = 0;
  double cpu_seconds = 0;  ///< of the child and of the children that it waited for
  std::string output;      ///< standard output
  std::string errors;      ///< standard error

  bool succeeded() const { return end == ChildEnd::exited && code == 0; }

  /// "exit status 1", "killed by signal 11 (Segmentation fault)", "no answer within 10 s", ...
  std::string how_it_ended() const;
};

/// The absolute path of a program: of a path, that path; of a name, by the absolute folders of PATH
/// alone, for no program is started because it lies in the current folder. None where there is
/// none.
std::optional<std::string> find_program(const std::string& name);

/// Runs `command` to its end; find_program finds its first word. ENOENT where it finds none, EACCES
/// where a path is no program. Standard input is empty. The child's PATH has absolute folders
/// alone, and its LC_ALL is C: of messages we understand those in English.
ChildResult run_child(const std::vector<std::string>& command, const ChildOptions& options);

}  // namespace alphasparse
