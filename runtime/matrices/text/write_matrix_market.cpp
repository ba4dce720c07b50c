#include "runtime/matrices/text/write_matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace alphasparse {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

}  // namespace

void write_matrix_market(const std::function<void(std::string_view)>& write, const Matrix& matrix,
                         const std::string& comment) {
  const bool is_complex = matrix.is_complex();
  const bool pattern = !is_complex && std::all_of(matrix.value.begin(), matrix.value.end(),
                                                  [](double one) { return one == 1; });
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "%%MatrixMarket matrix coordinate {} general\n% {}\n{} {} {}\n",
                 is_complex ? "complex"
                 : pattern  ? "pattern"
                            : "real",
                 comment, matrix.rows, matrix.cols, matrix.nnz());
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    const std::string row_text = std::to_string(std::int64_t{row} + 1);
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      text.append(row_text);
      text.push_back(' ');
      const fmt::format_int col(std::int64_t{matrix.col[nz]} + 1);
      text.append(col.data(), col.data() + col.size());
      if (!pattern) fmt::format_to(out, " {}", matrix.value[nz]);
      if (is_complex) fmt::format_to(out, " {}", matrix.imag[nz]);
      text.push_back('\n');
      if (text.size() < piece_bytes) continue;
      write({text.data(), text.size()});
      text.clear();
    }
  }
  write({text.data(), text.size()});
}

}  // namespace alphasparse
