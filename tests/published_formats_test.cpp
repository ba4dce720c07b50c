// published_formats: the arrays of named designs on a small matrix, worked out by hand from the
// papers that describe the formats.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

template <class T>
std::vector<T> entries_of(const Array& array) {
  std::vector<T> entries(array.count);
  if (array.count > 0) std::memcpy(entries.data(), array.bytes.data(), array.bytes.size());
  return entries;
}

/// The arrays that a design stores of a matrix, by name; values apart.
struct Stored {
  std::vector<float> value;
  std::map<std::string, std::vector<std::int32_t>> integers;
};

Stored stored_by(const Matrix& matrix, const std::string& name) {
  const Result<Kernel> kernel = Designer(matrix).build(resolve_design(name), Dtype::f32);
  EXPECT_TRUE(kernel.ok()) << kernel.reason();
  Stored stored;
  for (const Array& array : kernel->arrays) {
    if (array.is_value()) {
      stored.value = entries_of<float>(array);
    } else {
      stored.integers[array.name] = entries_of<std::int32_t>(array);
    }
  }
  return stored;
}

/// 1 . 2 . .
/// . . . . .
/// 3 4 . 5 6
/// . . . . 7
/// 8 . . 9 .
Matrix five() {
  return from_rows(5, {{{0, 1.}, {2, 2.}},
                       {},
                       {{0, 3.}, {1, 4.}, {3, 5.}, {4, 6.}},
                       {{4, 7.}},
                       {{0, 8.}, {3, 9.}}});
}

// Saad 1989: perm sorts the rows by length (2 0 4 3 1, from 0), jdiag and jcol hold the jagged
// diagonals one behind the other, idiag where each begins.
TEST(PublishedFormats, Jds) {
  const Stored stored = stored_by(five(), "jds");
  EXPECT_EQ(stored.value, (std::vector<float>{3, 1, 8, 7, 4, 2, 9, 5, 6}));
  EXPECT_EQ(stored.integers, (std::map<std::string, std::vector<std::int32_t>>{
                                 {"column", {0, 0, 0, 4, 1, 2, 3, 3, 4}},
                                 {"diagonal_first_entry", {0, 4, 7, 8, 9}},
                                 {"row_origin", {2, 0, 4, 3, 1}}}));
}

// Vazquez, Fernandez, Garzon 2011: A and J are ELL's arrays, column by column, whose leading
// dimension is a multiple of the warp; rl holds the length of each row. What lies behind a row's
// end is never read.
TEST(PublishedFormats, EllpackR) {
  const Stored stored = stored_by(five(), "ellpack-r");
  ASSERT_EQ(stored.value.size(), 4u * 32);
  ASSERT_EQ(stored.integers.size(), 2u);
  EXPECT_EQ(stored.integers.at("row_length"), (std::vector<std::int32_t>{2, 0, 4, 1, 2}));
  const std::vector<float> a[] = {
      {1, 0, 3, 7, 8}, {2, 0, 4, 0, 9}, {0, 0, 5, 0, 0}, {0, 0, 6, 0, 0}};
  const std::vector<std::vector<std::int32_t>> j = {{0, 2}, {}, {0, 1, 3, 4}, {4}, {0, 3}};
  for (int k = 0; k < 4; ++k) {
    for (std::size_t row = 0; row < 32; ++row) {
      EXPECT_EQ(stored.value[k * 32 + row], row < 5 ? a[k][row] : 0) << k << " " << row;
    }
  }
  for (std::size_t row = 0; row < j.size(); ++row) {
    for (std::size_t k = 0; k < j[row].size(); ++k) {
      EXPECT_EQ(stored.integers.at("column")[k * 32 + row], j[row][k]) << k << " " << row;
    }
  }
}

}  // namespace
}  // namespace alphasparse
