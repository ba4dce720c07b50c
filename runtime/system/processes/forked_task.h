// forked_task: work in a fork of this process. Its faults (no memory, a crash) end only the fork,
// and it already has the data of this process.
//
// It stays in our process group: an interrupt at the terminal reaches both. It dies with the thread
// that started it, with everything that was started to die with it in turn.
#pragma once
#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace alphasparse {

class ForkedTask {
 public:
  /// Tells the process that started the task: any bytes, as one message. Waits until it listens;
  /// nothing where it has gone.
  using Report = std::function<void(std::string_view message)>;

  /// Calls `work` in a fork, which ends when that returns; an exception ends it with status 1. No
  /// connection of SQLite's and no driver may be open here. Throws Error (exit 4) where the system
  /// gives no process.
  explicit ForkedTask(const std::function<void(const Report&)>& work);

  /// Ends it where it has not ended.
  ~ForkedTask();
  ForkedTask(const ForkedTask&) = delete;
  ForkedTask& operator=(const ForkedTask&) = delete;

  /// The descriptor to wait for (poll): readable where there is something to hear, the end too.
  int descriptor() const { return descriptor_; }

  /// Appends the messages that are there now, after waiting for some bytes of one where there are
  /// none; false at the end.
  bool hear(std::vector<std::string>& messages);

  /// Waits for its end: empty where it came by itself and in order, else "killed by signal 9
  /// (Killed)" or "exit status 1".
  std::string how_it_ended();

 private:
  pid_t process_ = -1;
  int descriptor_ = -1;
  std::string unread_;  ///< the beginning of a message
};

}  // namespace alphasparse
