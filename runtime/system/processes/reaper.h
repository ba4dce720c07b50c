// reaper: a process that tidies up after this one, however it ends.
//
// The reaper holds the read end of a pipe; this process and its forks hold the other end. When the
// last of them has ended, in any way, the reaper kills the process groups that they had started,
// for a compiler's own children know nothing of us. Then it removes our folder. Where the system
// allows that, die_with (child_process.h) ends a process sooner.
#pragma once
#include <sys/types.h>

#include <filesystem>

namespace alphasparse {

/// Starts the reaper of a folder. Without one the next run removes the folder.
void start_reaper(const std::filesystem::path& folder);

/// Has the reaper end a process group with us, one that `owner` has started. Safe between vfork and
/// exec.
void watch_group(pid_t group, pid_t owner);

/// The group has ended, with all that it had started.
void forget_group(pid_t group);

/// Kills the groups that a process had started, which has ended itself, and the processes that they
/// had started.
void end_groups(pid_t owner);

}  // namespace alphasparse
