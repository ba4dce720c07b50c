#include "runtime/emulated/emulator/team.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <new>

#include "runtime/emulated/emulator/kernel_error.h"

namespace alphasparse::emulator {

struct Team::Shared {
  pthread_barrier_t barrier;
  std::atomic<int> parted;
};

namespace {

/// Kills and waits for those that are left.
void end_all(const std::vector<pid_t>& members) {
  for (const pid_t member : members) kill(member, SIGKILL);
  while (::wait(nullptr) > 0) {
  }
}

/// Ends this process as another one has ended, which has reported the reason.
[[noreturn]] void end_like(int status) {
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

}  // namespace

bool Team::gather(int processes) {
  if (processes <= 1) return true;
  void* const memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("no memory for %d processes", processes);
  shared_ = new (memory) Shared{};
  processes_ = processes;
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&shared_->barrier, &attributes, static_cast<unsigned>(processes));
  std::vector<pid_t> members;
  for (index_ = 0; index_ < processes; ++index_) {
    const pid_t member = fork();
    if (member == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      return true;
    }
    if (member < 0) {
      end_all(members);
      fail("cannot start %d processes", processes);
    }
    members.push_back(member);
  }
  look_after(members);
  return false;
}

void Team::look_after(const std::vector<pid_t>& members) const {
  for (int ended = 1; ended <= processes_; ++ended) {
    int status = 0;
    if (::wait(&status) < 0) fail("lost a process of %d", processes_);
    if (WIFEXITED(status) && ended <= shared_->parted) continue;
    end_all(members);
    end_like(status);
  }
}

void Team::wait() {
  if (shared_) pthread_barrier_wait(&shared_->barrier);
}

void Team::part() {
  if (!shared_) return;
  ++shared_->parted;
  _exit(0);
}

}  // namespace alphasparse::emulator
