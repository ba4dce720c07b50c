// bench_bytes: how many bytes the kernels of each matrix read at least, over those of CSR.
//
//   bench_bytes MATRIX...
//
// For every matrix and type it prints the smallest format of the named designs over the bytes of
// CSR. There are three forms: the designs as they are, with every pass but that of values, and with
// all passes (columns by fewest bytes or by deltas). Then comes the time that the optimizer adds to
// building the last (this thread's processor time). Geometric means at the end, in three classes:
// all values equal; at most 65,536 distinct; more.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "operators/compact_passes.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/database/database.h"
#include "runtime/matrices/text/matrix_market.h"
#include "search/learning/mean.h"
#include "tools/benchmarks/parts.h"
#include "tools/console/tool_main.h"

namespace alphasparse {
namespace {

/// The passes that are compared: none, and pairs of which the smaller counts.
constexpr std::array<std::array<const char*, 2>, 3> passes = {
    {{"", ""},
     {"compact values=full", "compact columns=deltas values=full"},
     {"compact", "compact columns=deltas"}}};

struct Smallest {
  double ratio = std::numeric_limits<double>::infinity();
  std::string name = "-";
  std::string line;
  double seconds = 0;  ///< to build it
};

/// Takes the design in the place of the smallest if it can be built and is smaller.
void consider(const Matrix& matrix, Dtype dtype, std::string_view name, const Design& design,
              Smallest& best) {
  const double start = read_clock(CLOCK_THREAD_CPUTIME_ID);
  const Result<Kernel> kernel = Designer(matrix).build(print_design(design), dtype);
  const double seconds = read_clock(CLOCK_THREAD_CPUTIME_ID) - start;
  if (!kernel) return;
  const double ratio =
      static_cast<double>(kernel->format_bytes()) / static_cast<double>(csr_bytes(matrix, dtype));
  if (ratio < best.ratio) best = {ratio, std::string(name), print_design(design), seconds};
}

Smallest smallest(const Matrix& matrix, Dtype dtype, const std::array<const char*, 2>& pair) {
  Smallest best;
  for (const NamedDesign& named : named_designs(Target::gpu)) {
    const Design plain = *parse_design(named.line);
    for (const std::string_view pass : pair) {
      if (pass.empty()) {
        consider(matrix, dtype, named.name, plain, best);
        break;
      }
      const Design design = with_compact(plain, parse_design(std::string(pass))->steps.front());
      consider(matrix, dtype, named.name, design, best);
    }
  }
  return best;
}

/// Seconds that the passes add to building the design, at least 0.
double fit_seconds(const Matrix& matrix, Dtype dtype, const Smallest& compacted) {
  Smallest plain;
  consider(matrix, dtype, "", without_compact(*parse_design(compacted.line)), plain);
  return std::max(0.0, compacted.seconds - plain.seconds);
}

const char* find_class(const Matrix& matrix) {
  std::set<double> distinct;
  for (const double value : matrix.value) {
    if (distinct.size() > 65'536) break;
    distinct.insert(value);
  }
  return distinct.size() <= 1 ? "equal" : distinct.size() <= 65'536 ? "few" : "many";
}

struct Means {
  std::array<GeometricMean, passes.size()> ratios;
  int count = 0;
};

int run(int argument_count, char** arguments) {
  std::map<std::string, Means> means;
  double worst = 0;
  fmt::print("{:<24} {:>9} {:>5} {:>5}  {:<22} {:<22} {:<22} {:>9}\n", "matrix", "non-zeros",
             "type", "class", "as published", "values as they are", "all passes", "s a 1e6");
  for (int i = 1; i < argument_count; ++i) {
    const Matrix matrix = read_matrix_market(arguments[i]);
    if (matrix.nnz() == 0) continue;
    std::string name = arguments[i];
    name = name.substr(name.rfind('/') + 1);
    for (const auto& type : number_types) {
      if (type.is_complex()) continue;
      const Dtype dtype = type.dtype;
      const char* const of = find_class(matrix);
      Means& mean = means[fmt::format("{} {}", dtype_name(dtype), of)];
      Means& all = means[fmt::format("{} all", dtype_name(dtype))];
      std::string text;
      Smallest last;
      for (std::size_t pass = 0; pass < passes.size(); ++pass) {
        last = smallest(matrix, dtype, passes[pass]);
        text += fmt::format("{:<5.3f} {:<16} ", last.ratio, last.name);
        mean.ratios[pass].add(last.ratio);
        all.ratios[pass].add(last.ratio);
      }
      worst = std::max(worst, last.ratio);
      ++mean.count;
      ++all.count;
      fmt::print("{:<24} {:>9} {:>5} {:>5}  {}{:9.3f}\n", name.substr(0, name.find('.')),
                 matrix.nnz(), dtype_name(dtype), of, text,
                 fit_seconds(matrix, dtype, last) * 1e6 / static_cast<double>(matrix.nnz()));
      std::fflush(stdout);
    }
  }
  fmt::print("\n{:<12} {:>8} {:>13} {:>13} {:>13}\n", "mean of", "matrices", "as published",
             "as they are", "all passes");
  for (const auto& [name, mean] : means) {
    fmt::print("{:<12} {:>8}", name, mean.count);
    for (const GeometricMean& ratio : mean.ratios) fmt::print(" {:>13.3f}", *ratio.value());
    fmt::print("\n");
  }
  fmt::print("largest with all passes: {:.3f}\n", worst);
  return 0;
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  return alphasparse::tool_main("bench_bytes",
                                [&] { return alphasparse::run(argument_count, arguments); });
}
