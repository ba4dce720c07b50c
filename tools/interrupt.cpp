#include "tools/interrupt.h"

#include <csignal>

namespace alphasparse {

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

void note_interrupt(int) { interrupted = true; }

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(signal, &action, nullptr);
  }
  return interrupted;
}

}  // namespace alphasparse
