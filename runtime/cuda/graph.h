// graph: queued work recorded once and launched as a whole, so that the host's part of every
// launch is not in its time.
#pragma once
#include <functional>

#include "runtime/cuda/session.h"

namespace alphasparse {

class CudaGraph {
 public:
  /// Records the work that `queue` queues on the session's stream; none of it runs. Fails where
  /// some of it cannot be recorded; the stream is as it was.
  static Result<CudaGraph> record(CudaSession& session, const std::function<Fault()>& queue);
  CudaGraph() = default;
  CudaGraph(CudaGraph&& other) noexcept { swap(other); }
  CudaGraph& operator=(CudaGraph&& other) noexcept {
    swap(other);
    return *this;
  }
  ~CudaGraph();

  bool is_there() const { return exec_ != nullptr; }

  /// Queues all of it.
  Fault launch();

 private:
  void swap(CudaGraph& other) noexcept;

  CudaSession* session_ = nullptr;
  CudaGraphExec exec_ = nullptr;
};

}  // namespace alphasparse
