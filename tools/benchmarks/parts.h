// parts: the clock of benchmarks, and the parts of a candidate's cost that bench_candidate measures
// alone, on one core. Other work on the machine changes the processor time of a thread least.
#pragma once
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string>

#include "generator/arrays/matrix.h"

namespace alphasparse {

inline constexpr int part_runs = 3;  ///< of a part; the best of them counts

/// So many rows of 8 to 24 entries in the columns around the diagonal, `reach` to each side; the
/// same with every compiler.
Matrix made_matrix(std::int32_t rows, std::int32_t reach);

inline double read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Of so many runs, in the processor time of this thread.
template <class Work>
double best_seconds(int runs, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const double start = read_clock(CLOCK_THREAD_CPUTIME_ID);
    work();
    best = std::min(best, read_clock(CLOCK_THREAD_CPUTIME_ID) - start);
  }
  return best;
}

/// "NAME: 5 x 5, 9 non-zeros".
void print_matrix(const std::string& name, const Matrix& matrix);

void bench_building(const std::string& name, const Matrix& matrix);
void bench_loading(const std::string& name, const Matrix& matrix);
void bench_reading(const std::string& path);

}  // namespace alphasparse
