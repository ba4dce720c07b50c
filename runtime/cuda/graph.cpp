#include "runtime/cuda/graph.h"

#include <utility>

namespace alphasparse {

Result<CudaGraph> CudaGraph::record(CudaSession& session, const std::function<Fault()>& queue) {
  const CudaApi& api = session.api();
  if (Fault fault = session.check(api.begin_capture(session.stream(), cuda_capture_relaxed),
                                  "cuStreamBeginCapture", "recording a graph")) {
    return *fault;
  }
  const Fault queued = session.queue_in_capture(queue);
  CudaGraphNodes nodes = nullptr;
  const int ended = api.end_capture(session.stream(), &nodes);
  Fault fault = queued ? queued : session.check(ended, "cuStreamEndCapture", "recording a graph");
  CudaGraph graph;
  if (!fault) {
    graph.session_ = &session;
    fault = session.check(api.make_graph(&graph.exec_, nodes, 0), "cuGraphInstantiate",
                          "making a graph");
  }
  if (nodes != nullptr) api.destroy_graph_nodes(nodes);
  if (fault) return *fault;
  return graph;
}

Fault CudaGraph::launch() {
  return session_->check(session_->api().launch_graph(exec_, session_->stream()), "cuGraphLaunch",
                         "launching a graph");
}

CudaGraph::~CudaGraph() {
  if (exec_ != nullptr) session_->api().destroy_graph(exec_);
}

void CudaGraph::swap(CudaGraph& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(exec_, other.exec_);
}

}  // namespace alphasparse
