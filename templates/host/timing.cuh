// timing: the microseconds of one y = A x, taken as tune takes them.
//
// The device works for 100 ms first, so that its clocks are up. A sample is a batch of SpMVs that
// lasts at least a millisecond, as in a solver's loop, in one graph, so that short kernels do not
// wait for the host.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "templates/host/check.cuh"

namespace alphasparse::host {

constexpr double warm_up_us = 100e3;
constexpr double batch_us_min = 1000;  // a sample lasts at least this long,
constexpr int batch_max = 512;         // unless this many SpMVs do not
constexpr int samples_min = 7;         // taken however long they last
constexpr int samples_max = 51;        // taken where they fit into:
constexpr double samples_us_max = 200e3;

class SpmvTimer {
 public:
  explicit SpmvTimer(const alphasparse_handle* handle)
      : handle_(handle), x_(random_vector(facts.cols, 1)), y_(random_vector(facts.rows, 2)) {
    check_cuda(cudaStreamCreate(&stream_), "cudaStreamCreate");
    check_cuda(cudaEventCreate(&first_), "cudaEventCreate");
    check_cuda(cudaEventCreate(&last_), "cudaEventCreate");
    warm_up();
    choose_batch();
  }
  SpmvTimer(const SpmvTimer&) = delete;
  ~SpmvTimer() {
    if (graph_) cudaGraphExecDestroy(graph_);
    cudaEventDestroy(first_);
    cudaEventDestroy(last_);
    cudaStreamDestroy(stream_);
  }

  /// SpMVs of a sample.
  int batch() const { return batch_; }

  /// Samples in ascending order, of one SpMV each; `count` of them, or as many as tune takes: 0.
  std::vector<double> samples(int count) {
    std::vector<double> times_us;
    double total_us = 0;
    const auto wanted = [&] {
      const int taken = static_cast<int>(times_us.size());
      if (count > 0) return taken < count;
      return taken < samples_max && (taken < samples_min || total_us < samples_us_max);
    };
    while (wanted()) {
      const double sample_us = graph_ ? time_graph() : time_row(batch_);
      total_us += sample_us;
      times_us.push_back(sample_us / batch_);
    }
    std::sort(times_us.begin(), times_us.end());
    return times_us;
  }

 private:
  void queue(int spmvs) {
    for (int i = 0; i < spmvs; ++i) {
      check_call(PREFIX_spmv(handle_, x_.data, y_.data, 1, 0, stream_));
    }
  }

  /// Microseconds of what `work` queues, waited for.
  template <class Work>
  double time(const Work& work) {
    check_cuda(cudaEventRecord(first_, stream_), "cudaEventRecord");
    work();
    check_cuda(cudaEventRecord(last_, stream_), "cudaEventRecord");
    check_cuda(cudaEventSynchronize(last_), "the kernel");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, first_, last_), "cudaEventElapsedTime");
    return milliseconds * 1000.0;
  }

  double time_row(int spmvs) {
    return time([&] { queue(spmvs); });
  }
  double time_graph() {
    return time([&] { check_cuda(cudaGraphLaunch(graph_, stream_), "cudaGraphLaunch"); });
  }

  void warm_up() {
    int spmvs = 1;
    for (double worked_us = 0; worked_us < warm_up_us; spmvs = std::min(2 * spmvs, batch_max)) {
      worked_us += time_row(spmvs);
    }
  }

  /// One SpMV alone mostly shows how long a launch takes, so the batch grows by at most 16 at a
  /// time until it lasts.
  void choose_batch() {
    for (;;) {
      const double batch_us = time_row(batch_);
      if (batch_us >= batch_us_min || batch_ >= batch_max) break;
      const double growth = 1.1 * batch_us_min / std::max(batch_us, 1e-3);
      const double grown = std::ceil(batch_ * std::min(std::max(growth, 1.5), 16.0));
      batch_ = std::min(batch_max, static_cast<int>(grown));
    }
    if (batch_ == 1) return;
    check_cuda(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capture");
    queue(batch_);
    cudaGraph_t graph;
    check_cuda(cudaStreamEndCapture(stream_, &graph), "capture");
    check_cuda(cudaGraphInstantiateWithFlags(&graph_, graph, 0), "cudaGraphInstantiate");
    check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
    time_graph();  // its first launch uploads it
  }

  const alphasparse_handle* handle_;
  DeviceVector x_, y_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t first_ = nullptr, last_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
  int batch_ = 1;
};

/// The sample below which that share of them lies, interpolated between neighbours.
inline double quantile(const std::vector<double>& ascending, double share) {
  const double place = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  const double part = place - static_cast<double>(below);
  return ascending[below] + part * (ascending[above] - ascending[below]);
}

}  // namespace alphasparse::host
