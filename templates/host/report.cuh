// report: checks and times a kernel, and prints the results.
#pragma once
#include <cstdio>
#include <string>

#include "templates/host/check.h"
#include "templates/host/timing.cuh"

namespace alphasparse::host {

/// Gives the program's exit code. With 0 `samples` there are as many as tune takes.
[[gnu::cold]] inline int check_and_time(const std::string& path, int samples) {
  const LoadedFormat format = load_format(path, facts, true);
  int number = 0;
  check_cuda(cudaGetDevice(&number), "cudaGetDevice");
  cudaDeviceProp device;
  check_cuda(cudaGetDeviceProperties(&device, number), "cudaGetDeviceProperties");
  const LoadedKernel kernel(path.c_str());
  alphasparse_handle* const loaded = kernel.handle;
  report_matrix();
  std::printf("device  %s\n", device.name);
  if (!check_all(loaded, format)) return 1;
  SpmvTimer timer(loaded);
  report_times(timer.samples(samples), timer.batch(), format);
#ifdef ALPHASPARSE_KERNEL_VECTORS
  by_columns = true;
  report_columns(SpmvTimer(loaded).samples(samples));
#endif
  return 0;
}

}  // namespace alphasparse::host
