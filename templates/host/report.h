// report: checks and times a kernel on the processor at hand, and prints the results.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "templates/host/check.h"
#include "templates/host/samples.h"

namespace alphasparse::host {

/// Microseconds of processor time, for one thread, or of the wall's clock.
inline double now_us(bool one_thread) {
  timespec now{};
  clock_gettime(one_thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

/// Times y = A x.
class SpmvTimer {
 public:
  explicit SpmvTimer(const alphasparse_handle* handle)
#ifdef ALPHASPARSE_KERNEL_VECTORS
      : handle_(handle),
        x_(random_vector(facts.cols * vectors + line, 1)),
        y_(random_vector(facts.rows * vectors + line, 2)) {
#else
      : handle_(handle), x_(random_vector(facts.cols, 1)), y_(random_vector(facts.rows, 2)) {
#endif
    for (double worked_us = 0; worked_us < warm_up_us;) worked_us += time_row(1);
    for (double us = undisturbed(); us < batch_us_min && batch_ < batch_max; us = undisturbed()) {
      batch_ = grown(batch_, us);
    }
  }

  /// SpMVs of a sample.
  int batch() const { return batch_; }

  /// Microseconds of one SpMV, a number for each sample, in ascending order. A `count` of 0: as
  /// many samples as tune takes.
  std::vector<double> samples(int count) {
    std::vector<double> times_us;
    double total_us = 0;
    while (wanted(static_cast<int>(times_us.size()), count, total_us)) {
      const double sample_us = time_row(batch_);
      total_us += sample_us;
      times_us.push_back(sample_us / batch_);
    }
    sort(times_us);
    return times_us;
  }

 private:
  double time_row(int spmvs) {
    const bool one_thread = static_cast<const Handle*>(handle_)->team.threads == 1;
    const double start_us = now_us(one_thread);
#ifdef ALPHASPARSE_KERNEL_VECTORS
    for (int i = 0; i < spmvs; ++i)
      check_call(multiply_all(handle_, at_line(x_), at_line(y_), 1, 0, nullptr));
#else
    for (int i = 0; i < spmvs; ++i)
      check_call(PREFIX_interface()->spmv(handle_, x_.data(), y_.data(), 1, 0, nullptr));
#endif
    return now_us(one_thread) - start_us;
  }

  /// The time of a batch while no other program is in its way.
  double undisturbed() {
    double least = time_row(batch_);
    for (int again = 0; again < 2; ++again) {
      const double us = time_row(batch_);
      if (us < least) least = us;
    }
    return least;
  }

  const alphasparse_handle* handle_;
  std::vector<Value> x_, y_;
  int batch_ = 1;
};

/// The system's name of this processor; empty where it does not tell.
inline std::string processor() {
  std::FILE* const file = std::fopen("/proc/cpuinfo", "r");
  std::string name;
  char line[512];
  while (file && name.empty() && std::fgets(line, sizeof line, file)) {
    const char* const colon = std::strchr(line, ':');
    if (!colon || std::strncmp(line, "model name", 10) != 0) continue;
    const char* const first = colon + 1 + std::strspn(colon + 1, " \t");
    name.assign(first, std::strcspn(first, "\n"));
  }
  if (file) std::fclose(file);
  return name;
}

/// Gives the program's exit code. With 0 `samples` there are as many as tune takes.
[[gnu::cold]] inline int check_and_time(const std::string& path, int samples) {
  const LoadedFormat format = load_format(path, facts, true);
  const LoadedKernel kernel(path.c_str());
  alphasparse_handle* const loaded = kernel.handle;
  if (!std::getenv("OMP_NUM_THREADS")) check_call(PREFIX_set_threads(loaded, tuned_threads));
  report_matrix();
  const std::string here = processor();
  std::printf("device  %s, %d thread%s\n", here.empty() ? "an unknown processor" : here.c_str(),
              static_cast<Handle*>(loaded)->team.threads,
              static_cast<Handle*>(loaded)->team.threads == 1 ? "" : "s");
  if (here != tuned_on) std::printf("note    tuned on another processor, %s\n", tuned_on);
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
