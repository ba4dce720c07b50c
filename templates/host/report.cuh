// report: checks and times a kernel, and says what came of it.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "templates/host/timing.cuh"

namespace alphasparse::host {

inline void report_times(const std::vector<double>& times_us, int batch,
                         const LoadedFormat& format) {
  const double median = quantile(times_us, 0.5);
  double bytes = static_cast<double>(facts.rows + facts.cols) * sizeof(Value);
  for (const LoadedArray& array : format.arrays) bytes += static_cast<double>(array.bytes.size());
  std::printf("time    %.3f us (median of %zu batches of %d, warm; p20 %.3f, p80 %.3f)\n", median,
              times_us.size(), batch, quantile(times_us, 0.2), quantile(times_us, 0.8));
  std::printf("rate    %.2f GFLOP/s, %.2f GB/s (format, x and y once each: %.0f bytes)\n",
              2e-3 * static_cast<double>(facts.nnz) / median, 1e-3 * bytes / median, bytes);
}

/// Returns the program's exit code. `samples` of 0: as many as tune takes.
inline int check_and_time(const std::string& path, int samples) {
  const LoadedFormat format = load_format(path, facts, true);
  int number = 0;
  check_cuda(cudaGetDevice(&number), "cudaGetDevice");
  cudaDeviceProp device;
  check_cuda(cudaGetDeviceProperties(&device, number), "cudaGetDeviceProperties");
  alphasparse_handle* loaded = nullptr;
  check_call(PREFIX_load(path.c_str(), &loaded));
  const std::unique_ptr<alphasparse_handle, void (*)(alphasparse_handle*)> owner(loaded,
                                                                                 PREFIX_free);
  std::printf("design  %s\n", facts.design);
  std::printf("matrix  %lld rows, %lld columns, %lld non-zeros, %s\n",
              static_cast<long long>(facts.rows), static_cast<long long>(facts.cols),
              static_cast<long long>(facts.nnz), facts.dtype);
  std::printf("device  %s\n", device.name);
  const bool right = check_all(loaded, format);
  if (!right) return 1;
  SpmvTimer timer(loaded);
  report_times(timer.samples(samples), timer.batch(), format);
  return 0;
}

}  // namespace alphasparse::host
