// server: the worker's side - it does what its owner asks of a device, one thing after the
// other.
#pragma once
#include "runtime/worker/channel.h"
#include "runtime/worker/device.h"

namespace alphasparse {

/// A worker that finds no way to answer ends with this and the errno that kept it from that.
inline constexpr int no_answer_status = 100;

/// What an owner asks for. A message begins with it, the answer with an Answered.
enum class Ask {
  load,    ///< kernel                              -> its number
  unload,  ///< number                              -> nothing
  run,     ///< number, forgotten, cases            -> y of each
  time,    ///< number, forgotten, a case, request  -> timing
  sample,  ///< number, count                       -> samples
};

enum class Answered {
  done,    ///< what was asked for follows
  failed,  ///< a Failure follows, of the kernel
  fault,   ///< why the worker could not, which says nothing of the kernel
};

/// Opens the device, says who it is, and serves until the owner is gone. Never returns.
[[noreturn]] void serve_device(const OpenDevice& open, int socket, SharedMemory& asked,
                               SharedMemory& answered);

}  // namespace alphasparse
