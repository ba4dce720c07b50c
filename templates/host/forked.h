// forked: notices that the process is a fork, where OpenMP's threads are missing. A child that
// calls them waits for ever, so one thread runs all tasks there.
//
// A fork of a process that loaded a kernel before is told by a handler. A kernel that is loaded in
// the child cannot know which threads the parent had. It asks the kernel of the system instead.
#pragma once
#include <omp.h>
#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "templates/host/memory_format.h"

namespace alphasparse::host {

inline std::atomic<bool> forked{false};

/// False also where the handler could not be registered, for lack of memory.
inline const bool is_told_of_forks =
    pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); }) == 0;

bool is_forked() { return forked.load(std::memory_order_relaxed); }

/// Whether the process has not called exec since it was forked: PF_FORKNOEXEC in its flags, the
/// seventh word behind the name in parentheses.
inline bool is_fork_without_exec() {
  constexpr unsigned fork_without_exec = 0x40;
  char text[512];
  std::FILE* const file = std::fopen("/proc/self/stat", "re");
  if (!file) return false;
  const std::size_t length = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[length] = 0;
  const char* const name_end = std::strrchr(text, ')');
  unsigned flags = 0;
  return name_end && std::sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
         (flags & fork_without_exec) != 0;
}

/// To be called before arrays are touched.
inline void notice_fork() {
  if (is_fork_without_exec()) forked.store(true, std::memory_order_relaxed);
}

/// Calls body(thread, count) in up to `threads` threads; in a fork in this one alone.
template <class Body>
void in_threads(int threads, const Body& body) {
  if (threads == 1 || is_forked()) return body(0, 1);
#pragma omp parallel num_threads(threads)
  body(omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace alphasparse::host
