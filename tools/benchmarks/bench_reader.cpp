// bench_reader: how fast a Matrix Market file becomes a canonical matrix, step by step.
//
//   bench_reader FILE [REPEATS]    the best of REPEATS runs (default 5) a step, on one core
//
// MB/s count the bytes of the uncompressed text in every step.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>

#include "base/result.h"
#include "runtime/matrices/containers/text_source.h"
#include "runtime/matrices/text/matrix_market.h"

namespace alphasparse {
namespace {

/// The shortest of `repeats` runs of the step that `prepare` returns, in seconds.
template <class Prepare>
double best_seconds(int repeats, Prepare prepare) {
  double best = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < repeats; ++repeat) {
    auto step = prepare();
    const auto start = std::chrono::steady_clock::now();
    step();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

void print(const char* step, double seconds, std::size_t text_bytes, std::int64_t entries) {
  const double megabytes = static_cast<double>(text_bytes) / 1e6;
  fmt::print("{:<16} {:9.2f} ms {:9.1f} MB/s {:9.2f} M entries/s\n", step, seconds * 1e3,
             megabytes / seconds, static_cast<double>(entries) / seconds / 1e6);
}

void bench(const std::string& path, int repeats) {
  const std::string bytes = read_bytes(path);
  const std::string text = read_text(path);
  const ReadLimits limits;
  const Entries parsed = parse_matrix_market(text, path, limits);
  const std::int64_t count = parsed.count();
  Matrix matrix = canonical(Entries(parsed));
  fmt::print("{}: {} x {}, {} entries in {:.1f} MB of text, {} non-zeros\n", path, matrix.rows,
             matrix.cols, count, static_cast<double>(text.size()) / 1e6, matrix.nnz());
  if (is_gzip(bytes)) {
    const double seconds = best_seconds(
        repeats, [&] { return [&] { return gunzip(bytes, path, limits.memory_bytes); }; });
    print("gz to text", seconds, text.size(), count);
  }
  print("text to entries",
        best_seconds(repeats,
                     [&] { return [&] { return parse_matrix_market(text, path, limits); }; }),
        text.size(), count);
  print("canonical order",
        best_seconds(repeats,
                     [&] {
                       return [&, entries = parsed]() mutable {
                         matrix = canonical(std::move(entries));
                       };
                     }),
        text.size(), count);
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  if (argument_count < 2) {
    fmt::print(stderr, "usage: bench_reader FILE [REPEATS]\n");
    return 2;
  }
  const int repeats = argument_count > 2 ? std::atoi(arguments[2]) : 5;
  try {
    alphasparse::bench(arguments[1], std::max(1, repeats));
  } catch (const alphasparse::Error& error) {
    fmt::print(stderr, "bench_reader: {}\n", error.what());
    return static_cast<int>(error.code());
  }
}
