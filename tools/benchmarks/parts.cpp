#include "tools/benchmarks/parts.h"

#include <fmt/format.h>

#include <random>
#include <vector>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/matrices/containers/text_source.h"
#include "runtime/matrices/text/matrix_market.h"

namespace alphasparse {

namespace {

constexpr double goal_seconds = 0.5;  // to build a design of 1e6 non-zeros

void print_rate(const char* step, double seconds, std::size_t text_bytes, std::int64_t entries) {
  fmt::print("{:<16} {:9.2f} ms {:9.1f} MB/s {:9.2f} M entries/s\n", step, seconds * 1e3,
             1e-6 * static_cast<double>(text_bytes) / seconds,
             1e-6 * static_cast<double>(entries) / seconds);
}

}  // namespace

Matrix made_matrix(std::int32_t rows, std::int32_t reach) {
  std::mt19937_64 random(1);
  const auto below = [&](std::int64_t count) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(count));
  };
  Matrix matrix;
  matrix.rows = matrix.cols = rows;
  matrix.row_first.push_back(0);
  for (std::int32_t row = 0; row < rows; ++row) {
    const std::int32_t least = std::max(0, row - reach);
    const std::int64_t end = std::min<std::int64_t>(rows, std::int64_t{row} + reach);
    const auto first = static_cast<std::ptrdiff_t>(matrix.col.size());
    for (std::int32_t length = 8 + below(17); length > 0; --length)
      matrix.col.push_back(least + below(end - least));
    std::sort(matrix.col.begin() + first, matrix.col.end());
    matrix.col.erase(std::unique(matrix.col.begin() + first, matrix.col.end()), matrix.col.end());
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  for (const std::int32_t col : matrix.col) matrix.value.push_back(0.5 + col % 1000);
  return matrix;
}

void print_matrix(const std::string& name, const Matrix& matrix) {
  fmt::print("{}: {} x {}, {} non-zeros\n", name, matrix.rows, matrix.cols, matrix.nnz());
}

/// On a GPU, or on a CPU where the design is for CPUs alone.
void bench_building(const std::string& name, const Matrix& matrix) {
  print_matrix(name, matrix);
  fmt::print("{:<18} {:>9} {:>9} {:>14}\n", "design", "seconds", "of CSR", "ns a non-zero");
  const auto csr = static_cast<double>(csr_bytes(matrix, default_dtype));
  const auto nnz = static_cast<double>(std::max<std::int64_t>(1, matrix.nnz()));
  for (const NamedDesign& design : named_designs()) {
    const Target target = design.line.empty() ? Target::cpu : Target::gpu;
    std::string rejection;
    std::int64_t bytes = 0;
    const double seconds = best_seconds(part_runs, [&] {
      const Result<Kernel> kernel =
          Designer(matrix, target).build(std::string(design.target_line(target)), default_dtype);
      if (kernel) bytes = kernel->format_bytes();
      if (!kernel) rejection = kernel.reason();
    });
    if (rejection.empty()) {
      fmt::print("{:<18} {:>9.4f} {:>9.3f} {:>14.1f}{}\n", design.name, seconds,
                 static_cast<double>(bytes) / csr, seconds * 1e9 / nnz,
                 seconds < goal_seconds * std::max(1.0, nnz / 1e6) ? "" : "  misses the goal");
    } else {
      fmt::print("{:<18} {:>9} {}\n", design.name, "refused", rejection);
    }
  }
}

void bench_reading(const std::string& path) {
  const std::string bytes = read_bytes(path), text = read_text(path);
  const ReadLimits limits;
  const Entries parsed = parse_matrix_market(text, path, limits);
  print_matrix(path, canonical(Entries(parsed)));
  const auto print = [&](const char* step, double seconds) {
    print_rate(step, seconds, text.size(), parsed.count());
  };
  if (is_gzip(bytes)) {
    print("gz to text", best_seconds(part_runs, [&] { gunzip(bytes, path, limits.memory_bytes); }));
  }
  print("text to entries",
        best_seconds(part_runs, [&] { parse_matrix_market(text, path, limits); }));
  std::vector<Entries> copies(part_runs, parsed);
  print("canonical order", best_seconds(part_runs, [&] {
          canonical(std::move(copies.back()));
          copies.pop_back();
        }));
}

}  // namespace alphasparse
