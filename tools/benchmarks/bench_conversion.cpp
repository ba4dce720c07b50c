// bench_conversion: how long each named design takes from the canonical matrix to its format and
// source.
//
//   bench_conversion [MATRIX...]    the best of 3 runs a design, float32
//
// Without a matrix: a synthetic one of 1e6 non-zeros, the same every time. A run is a new Designer
// and its build: apply, layout, plan and source; reading is not included. Seconds are those of one
// core (this thread's processor time), so that other work on the machine does not count. The goal
// is less than 0.5 s a 1e6 non-zeros.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "base/result.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/matrices/text/matrix_market.h"

namespace alphasparse {
namespace {

constexpr int runs = 3;
constexpr double goal_seconds = 0.5;  // of 1e6 non-zeros
constexpr int synthetic_rows = 100'000;
constexpr int synthetic_nnz = 1'000'000;

/// Numbers that look random and are the same with every compiler (splitmix64).
std::uint64_t scrambled(std::uint64_t n) {
  n += 0x9e3779b97f4a7c15;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
  n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
  return n ^ (n >> 31);
}

/// 1 to 19 entries a row, 10 on average; half of them near the diagonal, the others anywhere.
Matrix synthetic() {
  Matrix matrix;
  matrix.rows = matrix.cols = synthetic_rows;
  matrix.row_first = {0};
  for (int row = 0; row < synthetic_rows; ++row) {
    const std::uint64_t seed = scrambled(static_cast<std::uint64_t>(row / 2));
    const int length = 10 + (row % 2 == 0 ? 1 : -1) * static_cast<int>(seed % 10);
    std::vector<std::int32_t> cols;
    for (std::uint64_t draw = 0; static_cast<int>(cols.size()) < length; ++draw) {
      const std::uint64_t number = scrambled(static_cast<std::uint64_t>(row) * 1000 + draw);
      const bool is_near = draw % 2 == 0;
      const auto col = static_cast<std::int32_t>(
          is_near ? (static_cast<std::uint64_t>(row) + number % 64) % synthetic_rows
                  : number % synthetic_rows);
      if (std::find(cols.begin(), cols.end(), col) == cols.end()) cols.push_back(col);
    }
    std::sort(cols.begin(), cols.end());
    for (const std::int32_t col : cols) {
      matrix.col.push_back(col);
      matrix.value.push_back(static_cast<double>(scrambled(matrix.value.size())) / 0x1p64);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  CHECK(matrix.nnz() == synthetic_nnz);
  return matrix;
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Row {
  std::string name;
  double seconds = 0;
  std::int64_t format_bytes = 0;
  std::string reason;  ///< why it was refused; else empty
};

/// On a GPU, or on a CPU where the design is for CPUs alone.
Row convert(const Matrix& matrix, const NamedDesign& design) {
  const Target target = design.line.empty() ? Target::cpu : Target::cuda;
  Row row{std::string(design.name), std::numeric_limits<double>::infinity(), 0, ""};
  for (int run = 0; run < runs; ++run) {
    const double start = thread_seconds();
    Designer designer(matrix, target);
    const Result<Kernel> kernel =
        designer.build(std::string(design.line_on(target)), default_dtype);
    row.seconds = std::min(row.seconds, thread_seconds() - start);
    if (!kernel) {
      row.reason = kernel.reason();
      break;
    }
    row.format_bytes = kernel->format_bytes();
  }
  return row;
}

/// One line a design, the slowest last. True where all of them meet the goal.
bool bench(const std::string& name, const Matrix& matrix) {
  const double csr = static_cast<double>(csr_bytes(matrix, default_dtype));
  fmt::print("{}: {} x {}, {} non-zeros\n{:<18} {:>9} {:>9} {:>14}\n", name, matrix.rows,
             matrix.cols, matrix.nnz(), "design", "seconds", "of CSR", "ns a non-zero");
  std::vector<Row> rows;
  for (const NamedDesign& design : named_designs()) rows.push_back(convert(matrix, design));
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    if (!a.reason.empty() || !b.reason.empty()) return !a.reason.empty() && b.reason.empty();
    return a.seconds < b.seconds;
  });
  bool all_meet = true;
  for (const Row& row : rows) {
    if (!row.reason.empty()) {
      fmt::print("{:<18} {:>9} {}\n", row.name, "refused", row.reason);
      continue;
    }
    const double millions = std::max(1.0, static_cast<double>(matrix.nnz()) / 1e6);
    const bool meets = row.seconds < goal_seconds * millions;
    all_meet = all_meet && meets;
    fmt::print("{:<18} {:>9.4f} {:>9.3f} {:>14.1f}{}\n", row.name, row.seconds,
               static_cast<double>(row.format_bytes) / csr,
               row.seconds * 1e9 / static_cast<double>(std::max<std::int64_t>(1, matrix.nnz())),
               meets ? "" : "  misses the goal");
  }
  return all_meet;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  try {
    if (argument_count < 2)
      return alphasparse::bench("synthetic", alphasparse::synthetic()) ? 0 : 1;
    bool all_meet = true;
    for (int i = 1; i < argument_count; ++i)
      all_meet &= alphasparse::bench(arguments[i], alphasparse::read_matrix_market(arguments[i]));
    return all_meet ? 0 : 1;
  } catch (const alphasparse::Error& error) {
    fmt::print(stderr, "bench_conversion: {}\n", error.what());
    return static_cast<int>(error.code());
  }
}
