#include "tests/support/bad_columns.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/result.h"
#include "operators/designer.h"
#include "tests/support/battery.h"

namespace alphasparse {

namespace {

Kernel kernel_with(const std::string& columns) {
  return *Designer(matrix_of_bad_columns())
              .build(
                  "compress | thread_rows rows=1 | thread_total | global_store | compact columns=" +
                      columns + " structure=full values=full models=linear | launch threads=32",
                  Dtype::f32);
}

/// Sets every entry of one array of 32 bits, or of pairs in it the first or the second ones.
void fill(Kernel& kernel, const std::string& name, const std::function<std::int64_t(Array&)>& of,
          std::int64_t first = 0, std::int64_t step = 1) {
  const auto found = std::find_if(kernel.arrays.begin(), kernel.arrays.end(),
                                  [&](const Array& array) { return array.name == name; });
  CHECK(found != kernel.arrays.end() && element_bytes(found->type) == 4);
  const auto entry = static_cast<std::uint32_t>(of(*found));
  for (std::int64_t i = first; i < found->count; i += step) {
    std::memcpy(found->bytes.data() + 4 * i, &entry, sizeof entry);
  }
}

std::int64_t most_of(Array& array) { return array.most; }

/// Fields of ones alone, which the facts allow then.
std::int64_t all_ones(Array& array) { return array.most = UINT32_MAX; }

std::int64_t most_column(Array&) { return 309; }

/// A head of the widest fields; the first of them is in the array.
std::int64_t widest_head(Array&) { return 1; }

}  // namespace

Matrix matrix_of_bad_columns() {
  std::vector<std::vector<std::pair<int, double>>> rows(300);
  for (int row = 0; row < 300; ++row) {
    const int first = row + (row < 150 ? row * row % 83 : row % 7);
    for (int k = 0; k < 3 + row % 4; ++k) rows[row].emplace_back(first + k, 1. + row + k);
  }
  return from_rows(310, rows);
}

std::vector<BadColumn> bad_columns() {
  const std::string outside = R"(column\[\d+\] is -?\d+, outside 0 to 309)";
  std::vector<BadColumn> all = {
      {"packed: base", kernel_with("packed"), outside},
      {"packed: head", kernel_with("packed"), outside},
      {"narrow: base", kernel_with("narrow"), outside},
      {"runs: shift", kernel_with("runs"), outside},
      {"deltas: words", kernel_with("deltas"), outside},
  };
  fill(all[0].kernel, "column_chunk", most_column, 0, 2);
  fill(all[1].kernel, "column_chunk", widest_head, 1, 2);
  fill(all[2].kernel, "column_base", most_of);
  fill(all[3].kernel, "column_shift_base", most_of);
  fill(all[4].kernel, "column_step_bits", all_ones);
  return all;
}

}  // namespace alphasparse
