// keeper: a process that tidies up after this one, however it ends.
//
// The keeper holds the read end of a pipe whose other end this process and its forks hold. When
// the last of them has ended, in whatever way, the keeper kills the process groups that they had
// started - a compiler's own children know nothing of us - and removes our folder. What a process
// is started with (die_with, child_process.h) ends it sooner where the system allows that.
#pragma once
#include <sys/types.h>

#include <filesystem>

namespace alphasparse {

/// Starts the keeper of a folder. Without one the next run removes the folder.
void start_keeper(const std::filesystem::path& folder);

/// Has the keeper end a process group with us, one that `owner` has started. Safe between vfork and
/// exec.
void watch_group(pid_t group, pid_t owner);

/// The group has ended, with all that it had started.
void forget_group(pid_t group);

/// Kills the groups that a process had started, which has ended itself, and what they had started.
void end_groups_of(pid_t owner);

}  // namespace alphasparse
