// timing: the microseconds of one y = A x. The SpMVs of a sample are one graph, so that short
// kernels do not wait for the host.
#pragma once
#include <vector>

#include "templates/host/product.cuh"
#include "templates/host/samples.h"

namespace alphasparse::host {

class SpmvTimer {
 public:
  explicit SpmvTimer(const alphasparse_handle* handle)
#ifdef ALPHASPARSE_KERNEL_VECTORS
      : handle_(handle),
        x_(random_vector(facts.cols * vectors, 1)),
        y_(random_vector(facts.rows * vectors, 2)) {
#else
      : handle_(handle), x_(random_vector(facts.cols, 1)), y_(random_vector(facts.rows, 2)) {
#endif
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

  /// Microseconds of one SpMV, a number for each sample, in ascending order. A `count` of 0: as
  /// many samples as tune takes.
  std::vector<double> samples(int count) {
    std::vector<double> times_us;
    double total_us = 0;
    while (wanted(static_cast<int>(times_us.size()), count, total_us)) {
      const double sample_us = graph_ ? time_graph() : time_row(batch_);
      total_us += sample_us;
      times_us.push_back(sample_us / batch_);
    }
    sort(times_us);
    return times_us;
  }

 private:
  void queue(int spmvs) {
    for (int i = 0; i < spmvs; ++i) {
#ifdef ALPHASPARSE_KERNEL_VECTORS
      check_call(multiply_all(handle_, x_.data, y_.data, 1, 0, stream_));
#else
      check_call(PREFIX_interface()->spmv(handle_, x_.data, y_.data, 1, 0, stream_));
#endif
    }
  }

  /// Microseconds until the work that `work` queues is done.
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
    for (double worked_us = 0; worked_us < warm_up_us;) {
      worked_us += time_row(spmvs);
      spmvs = 2 * spmvs < batch_max ? 2 * spmvs : batch_max;
    }
  }

  /// One SpMV alone mostly shows how long a launch takes.
  void choose_batch() {
    for (;;) {
      const double batch_us = time_row(batch_);
      if (batch_us >= batch_us_min || batch_ >= batch_max) break;
      batch_ = grown(batch_, batch_us);
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

}  // namespace alphasparse::host
