// graph: queued work recorded once and launched as a whole, so that the host's part of every
// launch is not in its time.
#pragma once
#include <functional>

#include "runtime/gpu/session.h"

namespace alphasparse {

class GpuGraph {
 public:
  /// Records the work that `queue` queues on the session's stream; none of it runs. Fails where
  /// some of it cannot be recorded; the stream is as it was.
  static Result<GpuGraph> record(GpuSession& session, const std::function<MaybeFailure()>& queue);
  GpuGraph() = default;
  GpuGraph(GpuGraph&& other) noexcept { swap(other); }
  GpuGraph& operator=(GpuGraph&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GpuGraph();

  bool is_there() const { return exec_ != nullptr; }

  /// Queues all of it.
  MaybeFailure launch();

 private:
  void swap(GpuGraph& other) noexcept;

  GpuSession* session_ = nullptr;
  GpuGraphExec exec_ = nullptr;
};

}  // namespace alphasparse
