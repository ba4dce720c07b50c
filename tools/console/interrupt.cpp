#include "tools/console/interrupt.h"

#include <sys/mman.h>

#include <csignal>
#include <new>

namespace alphasparse {

namespace {

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

/// A flag in memory that later forks share, so that all know of an interrupt that reaches one
/// process.
std::atomic<bool>& shared_flag() {
  void* const memory = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return *new (memory) std::atomic<bool>(false);
}

std::atomic<bool>* interrupted = nullptr;

void note_interrupt(int) { *interrupted = true; }

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  if (!interrupted) interrupted = &shared_flag();
  std::signal(SIGPIPE, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = note_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(signal, &action, nullptr);
  }
  return *interrupted;
}

}  // namespace alphasparse
