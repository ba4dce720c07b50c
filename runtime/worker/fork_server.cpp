#include "runtime/worker/fork_server.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/pause_beside.h"
#include "runtime/system/processes/child_process.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/processes/reaper.h"

namespace alphasparse {

/// A process to start, where one is 0, else to wait for.
struct ForkServer::Request {
  pid_t process = 0;
  int options = 0;
};

struct ForkServer::Answer {
  pid_t process = -1;
  int status = 0;
  int error = ECHILD;
};

namespace {

/// A message of its own, with a descriptor where it is not negative; false where the other side has
/// gone.
template <class T>
bool send_to(int socket, const T& content, int descriptor = -1) {
  iovec piece{const_cast<T*>(&content), sizeof content};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent = -1;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof content);
}

template <class T>
bool receive_from(int socket, T& content, int& descriptor) {
  descriptor = -1;
  iovec piece{&content, sizeof content};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t received = -1;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received == 0) errno = ECHILD;  // nobody is there
  if (received != static_cast<ssize_t>(sizeof content)) return false;
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS)
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return true;
}

/// A child leaves interrupts at the terminal to its parent. Ignored signals, as under nohup, stay
/// ignored.
void become_child(pid_t parent) {
  setpgid(0, 0);
  watch_group(getpid(), parent);
  die_with(parent, 0);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (signal(number, SIG_DFL) == SIG_IGN) signal(number, SIG_IGN);
  }
}

}  // namespace

/// Answers its owner until that has gone.
void ForkServer::serve(int socket, const std::function<void(int socket)>& work) {
  const pid_t self = getpid();
  Request request;
  int descriptor = -1;
  while (receive_from(socket, request, descriptor)) {
    Answer answer;
    if (request.process == 0) {
      answer.process = fork();
      if (answer.process == 0) {
        close(socket);
        become_child(self);
        work(descriptor);
        _exit(0);
      }
      if (descriptor >= 0) close(descriptor);
    } else {
      do answer.process = waitpid(request.process, &answer.status, request.options);
      while (answer.process < 0 && errno == EINTR);
    }
    answer.error = errno;
    if (!send_to(socket, answer)) break;
  }
  _exit(0);
}

ForkServer::ForkServer(const std::function<void(int socket)>& work) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) throw worker_not_started();
  const PauseBeside pause;  // a lock that another thread holds would stay locked in the child
  std::fflush(nullptr);     // buffered text would be written twice
  const pid_t owner = getpid();
  process_ = fork();
  if (process_ < 0) {
    close(ends[0]);
    close(ends[1]);
    throw worker_not_started();
  }
  if (process_ > 0) {
    close(ends[1]);
    socket_ = ends[0];
    return;
  }
  close(ends[0]);
  become_child(owner);
  serve(ends[1], work);
}

Error worker_not_started() {
  return environment_error("the device's worker cannot be started", errno);
}

ForkServer::~ForkServer() {
  // Another fork server, or worker, may have been forked with this end, so that closing it ends
  // nothing.
  if (socket_ >= 0) {
    shutdown(socket_, SHUT_RDWR);
    close(socket_);
  }
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  forget_group(process_);
}

ForkServer::Answer ForkServer::ask(const Request& request, int descriptor) {
  Answer answer;
  int none = -1;
  if (socket_ < 0 || !send_to(socket_, request, descriptor) ||
      !receive_from(socket_, answer, none)) {
    answer = {};
    if (socket_ >= 0) answer.error = errno;
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
    return answer;
  }
  return answer;
}

pid_t ForkServer::start(int socket) {
  const Answer answer = ask({}, socket);
  errno = answer.error;
  return answer.process;
}

pid_t ForkServer::wait(pid_t process, int* status, int options) {
  const Answer answer = ask({process, options}, -1);
  *status = answer.status;
  errno = answer.error;
  return answer.process;
}

}  // namespace alphasparse
