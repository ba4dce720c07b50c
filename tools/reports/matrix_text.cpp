#include "tools/reports/matrix_text.h"

#include <fmt/format.h>

namespace alphasparse {

namespace {

/// "45.34 %".
std::string percent(double share) { return fmt::format("{:.4g} %", 100 * share); }

}  // namespace

std::string lengths_text(const Distribution& lengths) {
  return fmt::format("{} to {} entries, mean {:.4g}, variance {:.4g}, skew {:.3g}, {} empty",
                     lengths.min, lengths.max, lengths.mean, lengths.variance, lengths.skew,
                     lengths.empty);
}

std::string quantiles_text(const Distribution& lengths) {
  std::string text;
  for (std::size_t i = 0; i < quantile_shares.size(); ++i) {
    text += fmt::format("{}{:.0f} % <= {}", i == 0 ? "" : ", ", quantile_shares[i] * 100,
                        lengths.quantiles[i]);
  }
  return text;
}

std::string symmetry_text(const Features& f, const Matrix& matrix) {
  if (f.rows != f.cols) return "rectangular";
  const char* verdict = f.value_symmetry == 1                      ? "symmetric"
                        : f.skew_symmetry == 1                     ? "skew-symmetric"
                        : f.pattern_symmetry != 1                  ? "unsymmetric"
                        : find_mirror(matrix) == Mirror::conjugate ? "hermitian"
                                                                   : "symmetric pattern";
  return fmt::format(
      "{}: of the entries off the diagonal {} have a mirror image, {} of the same value, {} of the "
      "opposite value",
      verdict, percent(f.pattern_symmetry), percent(f.value_symmetry), percent(f.skew_symmetry));
}

std::string values_text(const Features& f, const Matrix& matrix) {
  return fmt::format("{}{} distinct; {}",
                     matrix.is_complex() ? "complex numbers (c64 or c128), " : "",
                     f.distinct_values,
                     f.beyond_f32 == 0 ? "all exact in float32"
                                       : fmt::format("{} not exact in float32", f.beyond_f32));
}

}  // namespace alphasparse
