// main: a program that checks its kernel on the format file, against a plain SpMV on the host, and
// times it, on the current device.
//
//   NAME [FILE.safetensors] [--repeat SAMPLES]
//
// Exit codes: 0 right, 1 a wrong result, 2 it could not run.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <exception>
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
  check_call(alphasparse_load(path.c_str(), &loaded));
  const std::unique_ptr<alphasparse_handle, void (*)(alphasparse_handle*)> owner(loaded,
                                                                                 alphasparse_free);
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

int main(int count, char** arguments) {
  std::string path = alphasparse::host::format_file;
  long samples = 0;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    char* end = nullptr;
    if (argument == "--repeat" && i + 1 < count) {
      samples = std::strtol(arguments[++i], &end, 10);
    }
    const bool bad_number = end && (*end != '\0' || samples < 1 || samples > 1000000);
    if (bad_number || (!end && argument.rfind("-", 0) == 0)) {
      std::fprintf(stderr, "usage: %s [FILE.safetensors] [--repeat SAMPLES]\n", arguments[0]);
      return 2;
    }
    if (!end) path = argument;
  }
  try {
    return alphasparse::host::check_and_time(path, static_cast<int>(samples));
  } catch (const alphasparse::host::BadFile& error) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
