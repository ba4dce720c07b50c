// fork_server: starts workers from a process that was forked while its owner was small. A fork of
// the owner later on would keep a copy of the owner's memory for as long as it lives: a large
// matrix and the designs that are being built for it.
//
// It dies with the thread that made it, and its workers with it.
#pragma once
#include <sys/types.h>

#include <functional>

#include "base/result.h"

namespace alphasparse {

/// Why there is no worker, by errno (exit 4).
Error worker_not_started();

class ForkServer {
 public:
  /// `work` runs in every process that start() makes, and is given its socket. Waits until no
  /// thread of work_beside works, and pauses them for the fork (PauseBeside). In its processes the
  /// pause never ends: they must not use work_beside. Throws Error (exit 4) where the system gives
  /// no process.
  explicit ForkServer(const std::function<void(int socket)>& work);

  /// Its workers must have been waited for.
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  /// A process that works on this socket, which is still the caller's too; -1, with errno, where
  /// there is none.
  pid_t start(int socket);

  /// As waitpid(); -1, with errno, where the fork server has gone.
  pid_t wait(pid_t process, int* status, int options);

  /// False once it has been found gone.
  bool is_there() const { return socket_ >= 0; }

 private:
  struct Request;
  struct Answer;

  [[noreturn]] static void serve(int socket, const std::function<void(int socket)>& work);
  Answer ask(const Request& request, int descriptor);

  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace alphasparse
