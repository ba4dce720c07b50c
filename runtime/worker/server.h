// server: the worker's side: it does the work that its owner asks of a device, one request after
// the other.
#pragma once
#include "runtime/worker/channel.h"
#include "runtime/worker/device.h"

namespace alphasparse {

/// A worker that finds no way to answer ends with this and the errno that kept it from that.
inline constexpr int no_answer_status = 100;

/// The requests of an owner. A message begins with one, the answer with an Answered.
enum class RequestType {
  load,    ///< kernel                              -> its number
  unload,  ///< number                              -> nothing
  run,     ///< number, forgotten, cases            -> y of each
  time,    ///< number, forgotten, a case, request  -> timing
  sample,  ///< number, count                       -> samples
};

enum class Answered {
  done,    ///< the requested data follows
  failed,  ///< a Failure follows, of the kernel
  error,   ///< why the worker could not, which says nothing of the kernel
};

/// Opens the device, sends its identity, and serves until the owner is gone. Never returns.
[[noreturn]] void serve_device(const OpenDevice& open, int socket, SharedMemory& request,
                               SharedMemory& answered);

}  // namespace alphasparse
