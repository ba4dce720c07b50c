// matrix_section: the matrix as a picture, in words and in numbers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "runtime/system/machine/memory.h"
#include "search/learning/features.h"
#include "tools/pages/chart.h"
#include "tools/pages/markup.h"
#include "tools/pages/sections.h"
#include "tools/picture/picture.h"
#include "tools/reports/matrix_text.h"

namespace alphasparse {

namespace {

constexpr std::int32_t own_bars_max = 16;  // lengths with a bar each

/// How many rows have how many entries: each length a bar, or each power of two.
std::vector<Bar> length_bars(const Matrix& matrix, const Distribution& lengths) {
  const bool own = lengths.max - lengths.min < own_bars_max;
  const auto bin = [&](std::int64_t length) -> std::size_t {
    if (own) return static_cast<std::size_t>(length - lengths.min);
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(length)));
  };
  std::vector<std::int64_t> rows(bin(lengths.max) + 1);
  for (std::int32_t row = 0; row < matrix.rows; ++row) ++rows[bin(matrix.row_length(row))];
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t from = i == 0 ? 0 : std::int64_t{1} << (i - 1);
    const std::int64_t to = i == 0 ? 0 : (std::int64_t{1} << i) - 1;
    const std::string label = own          ? fmt::format("{}", lengths.min + static_cast<int>(i))
                              : from == to ? grouped(from)
                                           : fmt::format("{} to {}", grouped(from), grouped(to));
    bars.push_back({label, grouped(rows[i]), static_cast<double>(rows[i]), 0, false, {}, {}});
  }
  return bars;
}

}  // namespace

std::string pattern_html(const std::string& png, const std::string& name) {
  return fmt::format(
      "<figure><img class=\"pattern\" alt=\"Pattern of {0}\" src=\"{1}\">"
      "<figcaption>Where {0} has entries, darker where they are denser.</figcaption></figure>\n",
      escaped(name), data_uri("image/png", png));
}

PageSection matrix_section(const InputMatrix& input, Dtype dtype) {
  const Matrix& matrix = input.matrix;
  const Features f = compute_features(matrix);
  const double positions = static_cast<double>(f.rows) * static_cast<double>(f.cols);
  std::string blocks;
  for (const BlockFeatures& one : f.blocks) {
    blocks += fmt::format("{}{}x{} {:.0f} % filled", blocks.empty() ? "" : ", ", one.side, one.side,
                          100 * one.fill);
  }
  const std::string facts = facts_html({
      {"file", input.path + (input.transposed ? ", transposed" : "")},
      {"shape", fmt::format("{} rows, {} columns", grouped(f.rows), grouped(f.cols))},
      {"non-zeros", fmt::format("{}, {:.3g} % of the positions", grouped(f.nnz),
                                100 * static_cast<double>(f.nnz) / positions)},
      {"symmetry", symmetry_text(f, matrix)},
      {"rows", lengths_text(f.row_lengths)},
      {"", quantiles_text(f.row_lengths)},
      {"columns", lengths_text(f.col_counts)},
      {"band", fmt::format("{} below and {} above the diagonal", grouped(f.band_below),
                           grouped(f.band_above))},
      {"locality", fmt::format("the next column is {:.3g} away on average, {:.0f} % of the entries "
                               "have one right above",
                               f.col_gap_mean, 100 * f.row_similarity)},
      {"dense blocks", blocks},
      {"diagonals", fmt::format("{}; the ten fullest hold {:.0f} % of the entries",
                                grouped(f.diagonals), 100 * f.fullest_diagonals)},
      {"values", values_text(f, matrix)},
      {"CSR", byte_count_text(csr_bytes(matrix, dtype)) + " in " + dtype_name(dtype)},
  });
  return {"matrix", "The matrix",
          fmt::format("<div class=\"beside\">{}<div>{}</div></div>\n<h3>Rows by their number of "
                      "entries</h3>\n{}",
                      pattern_html(png_picture(matrix), input.name), facts,
                      bars_html(length_bars(matrix, f.row_lengths)))};
}

}  // namespace alphasparse
