#include "runtime/gpu/graph.h"

#include <utility>

namespace alphasparse {

Result<GpuGraph> GpuGraph::record(GpuSession& session, const std::function<MaybeFailure()>& queue) {
  const GpuApi& api = session.api();
  constexpr const char* doing = "recording a graph";
  if (auto failure =
          session.call(doing, api.begin_capture, session.stream(), gpu_capture_relaxed)) {
    return *failure;
  }
  const MaybeFailure queued = session.queue_in_capture(queue);
  GpuGraphNodes nodes = nullptr;
  const int ended = api.end_capture(session.stream(), &nodes);
  auto failure = queued ? queued : session.check(ended, api.end_capture.name, doing);
  GpuGraph graph;
  if (!failure) {
    graph.session_ = &session;
    failure = session.call("making a graph", api.make_graph, &graph.exec_, nodes, 0);
  }
  if (nodes != nullptr) api.destroy_graph_nodes(nodes);
  if (failure) return *failure;
  return graph;
}

MaybeFailure GpuGraph::launch() {
  return session_->call("launching a graph", session_->api().launch_graph, exec_,
                        session_->stream());
}

GpuGraph::~GpuGraph() {
  if (exec_ != nullptr) session_->api().destroy_graph(exec_);
}

void GpuGraph::swap(GpuGraph& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(exec_, other.exec_);
}

}  // namespace alphasparse
