// published_formats: the arrays of named designs on a small matrix, worked out by hand from the
// papers that describe the formats.
#include <gtest/gtest.h>

#include <algorithm>
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

using Floats = std::vector<float>;
using Entries = std::vector<std::int32_t>;

/// The arrays of a design by name, as many entries as are asked for, whether stored or computed.
class Arrays {
 public:
  Arrays(const Matrix& matrix, const std::string& name)
      : kernel_(Designer(matrix).build(resolve_design(name), Dtype::f32)) {
    EXPECT_TRUE(kernel_.ok()) << (kernel_.ok() ? "" : kernel_.reason());
  }

  Floats values(const std::string& name) const { return entries_of<float>(*find(name)); }

  Entries ints(const std::string& name, std::size_t count) const {
    if (const Array* array = find(name)) return entries_of<std::int32_t>(*array);
    for (const ComputedArray& array : kernel_->computed) {
      if (array.name != name) continue;
      Entries entries;
      for (std::size_t i = 0; i < count; ++i) entries.push_back(computed(array, i));
      return entries;
    }
    return {};
  }

 private:
  const Array* find(const std::string& name) const {
    for (const Array& array : kernel_->arrays) {
      if (array.name == name) return &array;
    }
    return nullptr;
  }

  std::int32_t computed(const ComputedArray& array, std::size_t i) const {
    const auto read = [&](const std::string& name, std::int64_t at) -> std::optional<std::int64_t> {
      return ints(name, static_cast<std::size_t>(at) + 1).at(at);
    };
    const auto entry = value(array.entry, static_cast<std::int64_t>(i), read);
    EXPECT_TRUE(entry) << array.name;
    return static_cast<std::int32_t>(entry.value_or(0));
  }

  Result<Kernel> kernel_;
};

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

/// ELL's order: column k of the rows' slots begins at k * 32, the leading dimension that keeps
/// every column of slots aligned.
template <class T>
std::vector<T> by_columns(const std::vector<std::vector<T>>& columns) {
  std::vector<T> entries(columns.size() * 32, T(0));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::copy(columns[k].begin(), columns[k].end(), entries.begin() + k * 32);
  }
  return entries;
}

const Floats values_of_csr = {1, 2, 3, 4, 5, 6, 7, 8, 9};
const Entries columns_of_csr = {0, 2, 0, 1, 3, 4, 4, 0, 3};
const Entries row_ptr = {0, 2, 2, 6, 7, 9};
// Pads repeat the last column of their row; a row without any has -1.
const Floats values_of_ell =
    by_columns<float>({{1, 0, 3, 7, 8}, {2, 0, 4, 0, 9}, {0, 0, 5, 0, 0}, {0, 0, 6, 0, 0}});
const Entries columns_of_ell = by_columns<std::int32_t>(
    {{0, -1, 0, 4, 0}, {2, -1, 1, 4, 3}, {2, -1, 3, 4, 3}, {2, -1, 4, 4, 3}});

struct HandCase {
  const char* name;
  std::map<std::string, Floats> values;
  std::map<std::string, Entries> ints;
};

const std::vector<HandCase> hand_cases = {
    // Bell, Garland 2009: CSR's ptr, indices, data; a thread a row, or a warp
    {"csr-scalar",
     {{"value", values_of_csr}},
     {{"column", columns_of_csr}, {"row_first_nz", row_ptr}}},
    {"csr-vector",
     {{"value", values_of_csr}},
     {{"column", columns_of_csr}, {"row_first_nz", row_ptr}}},
    // the same: row, indices, data
    {"coo",
     {{"value", values_of_csr}},
     {{"column", columns_of_csr}, {"thread_row", {0, 0, 2, 2, 2, 2, 3, 4, 4}}}},
    // Greathouse, Daga 2014: CSR, and rowBlocks, the first row of each block of at most 1024
    // non-zeros
    {"csr-stream",
     {{"value", values_of_csr}},
     {{"column", columns_of_csr}, {"row_first_thread", row_ptr}, {"block_first_row", {0, 5}}}},
    // Merrill, Garland 2016: CSR alone. The path has 5 + 9 steps of 7 a thread; the second thread
    // begins behind the ends of rows 0 and 1 and 5 non-zeros
    {"merge-csr",
     {{"value", values_of_csr}},
     {{"column", columns_of_csr},
      {"row_first_nz", row_ptr},
      {"thread_first_nz", {0, 5, 9}},
      {"thread_first_row", {0, 2, 4}}}},
    // the same as csr-vector's, with bins of 1 to 2, 3 to 4, ... non-zeros (Ashari et al. 2014);
    // empty rows are in the first
    {"acsr",
     {{"branch_1.value", {1, 2, 7, 8, 9}}, {"branch_2.value", {3, 4, 5, 6}}},
     {{"branch_1.column", {0, 2, 4, 0, 3}},
      {"branch_1.row_first_nz", {0, 2, 2, 3, 5}},
      {"branch_1.row_origin", {0, 1, 3, 4}},
      {"branch_2.column", {0, 1, 3, 4}},
      {"branch_2.row_first_nz", {0, 4}},
      {"branch_2.row_origin", {2}}}},
    // Bell, Garland 2009: data and indices, column by column
    {"ell", {{"value", values_of_ell}}, {{"column", columns_of_ell}}},
    // Oberhuber, Suzuki, Vacata 2011: groups of 128 rows, each like ELL; groupPointers
    {"row-grouped-csr",
     {{"value", values_of_ell}},
     {{"column", columns_of_ell}, {"block_first_entry", {0, 4 * 32}}}},
    // Kreutzer et al. 2014: chunks of C = 32 rows of those sorted in bands of sigma; cs, perm
    {"sell-c-sigma",
     {{"value", by_columns<float>({{3, 1, 8, 7}, {4, 2, 9}, {5}, {6}})}},
     {{"column", by_columns<std::int32_t>(
                     {{0, 0, 0, 4, -1}, {1, 2, 3, 4, -1}, {3, 2, 3, 4, -1}, {4, 2, 3, 4, -1}})},
      {"warp_first_entry", {0, 4 * 32}},
      {"row_origin", {2, 0, 4, 3, 1}}}},
    // Saad 1989: perm sorts the rows by length, jdiag and jcol hold the jagged diagonals one behind
    // the other, idiag where each begins
    {"jds",
     {{"value", {3, 1, 8, 7, 4, 2, 9, 5, 6}}},
     {{"column", {0, 0, 0, 4, 1, 2, 3, 3, 4}},
      {"diagonal_first_entry", {0, 4, 7, 8, 9}},
      {"row_origin", {2, 0, 4, 3, 1}}}},
    // Bell, Garland 2009: two of five rows have 2 or more, so ELL of width 2, and the rest as COO
    {"hyb",
     {{"branch_1.value", by_columns<float>({{1, 0, 3, 7, 8}, {2, 0, 4, 0, 9}})},
      {"branch_2.value", {5, 6}}},
     {{"branch_1.column", by_columns<std::int32_t>({{0, -1, 0, 4, 0}, {2, -1, 1, 4, 3}})},
      {"branch_2.column", {3, 4}},
      {"branch_2.thread_row", {2, 2}}}},
    // Bell, Garland 2009: data, diagonal by diagonal, offsets -4 -2 -1 0 1 2
    {"dia",
     {{"branch_1.value", by_columns<float>({{0, 0, 0, 0, 8},
                                            {0, 0, 3, 0, 0},
                                            {0, 0, 4, 0, 9},
                                            {1, 0, 0, 0, 0},
                                            {0, 0, 5, 7, 0},
                                            {2, 0, 6, 0, 0}})}},
     {}},
    // New: the five rows are one warp's, and its diagonals are all of them; each begins at the
    // column that it has in the first row, stored or not
    {"band-dia",
     {{"value", by_columns<float>({{0, 0, 0, 0, 8},
                                   {0, 0, 3, 0, 0},
                                   {0, 0, 4, 0, 9},
                                   {1, 0, 0, 0, 0},
                                   {0, 0, 5, 7, 0},
                                   {2, 0, 6, 0, 0}})}},
     {{"diagonal_column", {-4, -2, -1, 0, 1, 2}}}},
    // Im, Yelick, Vuduc 2004: two blocks of 3 x 3 in both bands; here each row's parts of them lie
    // together
    {"bsr",
     {{"branch_1.value",
       {1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 0, 5, 6, 0, 0, 0, 0, 0, 7, 0, 8, 0, 0, 9, 0, 0}}},
     {{"branch_1.row_first_nz", {0, 6, 12, 18, 24, 30}}}},
    // The same blocks, a band a thread. The second ones would hang over the right edge, so that
    // they begin at column 2; the second band has two rows.
    {"bsell",
     {{"branch_1.value", by_columns<float>({{1, 0},
                                            {0, 0},
                                            {2, 0},
                                            {0, 8},
                                            {0, 0},
                                            {0, 0},
                                            {3, 0},
                                            {4, 0},
                                            {0, 0},
                                            {0, 0},
                                            {0, 0},
                                            {0, 7},
                                            {0, 0},
                                            {0, 9},
                                            {0, 0},
                                            {0, 0},
                                            {5, 0},
                                            {6, 0}})}},
     {{"branch_1.block_first_col", by_columns<std::int32_t>({{0, 0}, {2, 2}})}}},
    // Blocks of 2 x 2 from the first entry on that no block holds yet; the third band has one row.
    {"runs",
     {{"branch_1.value", by_columns<float>({{1, 3, 8},
                                            {0, 4, 0},
                                            {0, 0, 0},
                                            {0, 0, 0},
                                            {2, 5, 9},
                                            {0, 6, 0},
                                            {0, 0, 0},
                                            {0, 7, 0}})}},
     {{"branch_1.block_first_col", by_columns<std::int32_t>({{0, 0, 0}, {2, 3, 3}})}}},
};

TEST(PublishedFormats, HaveTheArraysThatAreWorkedOutByHand) {
  for (const HandCase& entry : hand_cases) {
    const Arrays arrays(five(), entry.name);
    for (const auto& [name, values] : entry.values) {
      EXPECT_EQ(arrays.values(name), values) << entry.name << " " << name;
    }
    for (const auto& [name, ints] : entry.ints) {
      EXPECT_EQ(arrays.ints(name, ints.size()), ints) << entry.name << " " << name;
    }
  }
}

// Liu, Vinter 2015: one tile of 32 x 16, completed by pads; rows 0, 2, 3 and 4 begin at its
// entries 0, 2, 6 and 7. The row before row 2 is empty, so tile_ptr has its sign bit and
// empty_offset the rows of the segments.
TEST(PublishedFormats, Csr5) {
  const Arrays arrays(five(), "csr5");
  const Floats values = arrays.values("value");
  const Entries columns = arrays.ints("column", 0);
  ASSERT_EQ(values.size(), 512u);
  ASSERT_EQ(columns.size(), 512u);
  for (std::size_t item = 0; item < 9; ++item) {  // of the first thread: the tile is transposed
    EXPECT_EQ(values[item * 32], values_of_csr[item]);
    EXPECT_EQ(columns[item * 32], columns_of_csr[item]);
  }
  EXPECT_EQ(std::count(values.begin(), values.end(), 0.f), 512 - 9);
  EXPECT_EQ(arrays.ints("tile_ptr", 2), (Entries{INT32_MIN, 5}));
  EXPECT_EQ(arrays.ints("empty_offset_first", 2), (Entries{0, 4}));
  EXPECT_EQ(arrays.ints("empty_offset", 4), (Entries{0, 2, 3, 4}));
  // bit_flag in bits 0 to 15, y_offset from bit 16
  Entries words(32, 4 << 16);
  words[0] = 1 << 0 | 1 << 2 | 1 << 6 | 1 << 7;
  EXPECT_EQ(arrays.ints("thread_word", 32), words);
}

// Vazquez, Fernandez, Garzon 2011: A and J are ELL's arrays; rl holds the length of each row.
// Entries behind a row's end are never read.
TEST(PublishedFormats, EllpackR) {
  const Arrays arrays(five(), "ellpack-r");
  EXPECT_EQ(arrays.values("value"), values_of_ell);
  const Entries lengths = {2, 0, 4, 1, 2}, columns = arrays.ints("column", 0);
  EXPECT_EQ(arrays.ints("row_length", 5), lengths);
  ASSERT_EQ(columns.size(), columns_of_ell.size());
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    for (std::int32_t k = 0; k < lengths[row]; ++k) {
      EXPECT_EQ(columns[k * 32 + row], columns_of_ell[k * 32 + row]) << k << " " << row;
    }
  }
}

/// Those of CPUs alone have tests of their own, as mix_test.cpp.
TEST(PublishedFormats, CoverEveryNamedDesign) {
  for (const NamedDesign& design : named_designs(Target::gpu)) {
    const bool by_hand =
        std::any_of(hand_cases.begin(), hand_cases.end(),
                    [&](const HandCase& entry) { return entry.name == design.name; });
    EXPECT_TRUE(by_hand || design.name == "csr5" || design.name == "ellpack-r") << design.name;
  }
}

}  // namespace
}  // namespace alphasparse
