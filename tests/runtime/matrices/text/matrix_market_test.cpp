// matrix_market: files that are read, files that are refused, and the words of refusals.
#include "runtime/matrices/text/matrix_market.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "base/result.h"

namespace alphasparse {
namespace {

using Triplets = std::vector<std::tuple<int, int, double>>;  // row and column from 0

const std::string general = "%%MatrixMarket matrix coordinate real general\n";
const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n";
const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string integer = "%%MatrixMarket matrix coordinate integer general\n";
const std::string array = "%%MatrixMarket matrix array real general\n";

Matrix read(const std::string& text) {
  Matrix matrix = canonical(parse_matrix_market(text, "a.mtx"));
  EXPECT_EQ(check_canonical(matrix), "");
  return matrix;
}

Triplets triplets(const Matrix& matrix) {
  Triplets list;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      list.emplace_back(row, matrix.col[nz], matrix.value[nz]);
    }
  }
  return list;
}

Triplets read_triplets(const std::string& text) { return triplets(read(text)); }

/// The one line that a text is refused with.
std::string refusal(const std::string& text, const ReadLimits& limits = {}) {
  try {
    canonical(parse_matrix_market(text, "a.mtx", limits));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "accepted";
}

/// A text of some megabytes: more pieces than one are read side by side.
struct LongText {
  std::string head, lines;
  int count = 0;
  int next_line = 4;  // of the file, behind header, comment and sizes

  explicit LongText(const std::string& header) : head(header) {}

  void add_line(const std::string& line) {
    lines += line + "\n";
    ++next_line;
  }
  void add(int row, int col, double value) {
    add_line(std::to_string(row) + " " + std::to_string(col) + " " + std::to_string(value));
    ++count;
  }
  std::string text(int more = 0) const {
    return head + "% long\n300000 300000 " + std::to_string(count + more) + "\n" + lines;
  }
};

/// Where the entries of such a text are: below the diagonal, in no order.
int long_row(std::int64_t i) { return static_cast<int>(2 + i * 7919 % 299'000); }
int long_col(std::int64_t i) { return static_cast<int>(1 + i * 104'729 % (long_row(i) - 1)); }

/// Adds a blank line or a comment now and then.
LongText long_triangle(const std::string& header) {
  LongText made(header);
  for (int i = 0; i < 150'000; ++i) {
    if (i % 1000 == 7) made.add_line("");
    if (i % 1000 == 9) made.add_line("% a comment");
    made.add(long_row(i), long_col(i), i);
  }
  return made;
}

// ---- files that are read

TEST(MatrixMarket, Coordinate) {
  const Matrix matrix = read(general + "3 4 4\n1 1 1.5\n3 4 -2e3\n1 4 .25\n3 1 7\n");
  EXPECT_EQ(matrix.rows, 3);
  EXPECT_EQ(matrix.cols, 4);
  EXPECT_EQ(triplets(matrix), (Triplets{{0, 0, 1.5}, {0, 3, .25}, {2, 0, 7}, {2, 3, -2000}}));
}

TEST(MatrixMarket, LongTextsAreReadByPieces) {
  const LongText made = long_triangle(symmetric);
  ASSERT_GT(made.lines.size(), 3'000'000);
  const Entries entries = parse_matrix_market(made.text(), "a.mtx");
  ASSERT_EQ(entries.count(), made.count);
  std::int64_t line = 4, wrong = 0;
  for (int i = 0; i < made.count; ++i) {
    line += (i % 1000 == 7) + (i % 1000 == 9);
    wrong += entries.row[i] != long_row(i) - 1 || entries.col[i] != long_col(i) - 1 ||
             entries.value[i] != i || entries.line(i) != line++;
  }
  EXPECT_EQ(wrong, 0);
  // A jump behind each line that holds none, and one in front of all.
  EXPECT_EQ(entries.line_jumps.size(), 1 + 2 * 150);
}

TEST(MatrixMarket, LongTextsAreRefusedWhereTheyAreWrong) {
  const auto refused = [&](const LongText& made, int more = 0) { return refusal(made.text(more)); };
  LongText broken = long_triangle(symmetric);
  const std::string line = std::to_string(broken.next_line);
  broken.add_line("7 x 1");
  ++broken.count;
  for (int i = 0; i < 50'000; ++i) broken.add(200, 100, 1);
  EXPECT_EQ(refused(broken), "a.mtx:" + line + ": column index 'x' is not an integer");

  LongText above = long_triangle(symmetric);
  const std::string last = std::to_string(above.next_line - 1);
  above.add(3, 5, 1);
  EXPECT_EQ(refused(above), "a.mtx:" + std::to_string(above.next_line - 1) +
                                ": entry 3, 5 is above the diagonal, but line " + last +
                                " has one below it: a symmetric file stores one triangle");

  LongText diagonal = long_triangle(skew);
  diagonal.add(9, 9, 1);
  EXPECT_EQ(refused(diagonal), "a.mtx:" + std::to_string(diagonal.next_line - 1) +
                                   ": diagonal entry 9, 9 of a skew-symmetric matrix is not zero");

  const LongText whole = long_triangle(general);
  EXPECT_EQ(refused(whole, 1),
            "a.mtx:" + std::to_string(whole.next_line) +
                ": the file ends after 150000 of the 150001 entries of its size line");
  EXPECT_EQ(refused(whole, -1), "a.mtx:" + std::to_string(whole.next_line - 1) +
                                    ": the file goes on behind the 149999 entries of its size "
                                    "line");
  EXPECT_NE(refusal(whole.text(), {.expanded_count = 1000}).find("is outside 0..1000"),
            std::string::npos);
  EXPECT_NE(refusal(long_triangle(symmetric).text(), {.expanded_count = 299'999})
                .find("300000 entries, mirror images included, are more than the limit 299999"),
            std::string::npos);
}

TEST(MatrixMarket, OrderedEntriesGiveTheSameMatrixAsOthers) {
  const std::string first = "1 2 1\n", second = "1 4 2\n", third = "3 1 3\n";
  const std::string head = general + "3 4 3\n";
  const Matrix ordered = read(head + first + second + third);
  for (const std::string& other : {second + first + third, third + first + second}) {
    const Matrix matrix = read(head + other);
    EXPECT_EQ(matrix.row_first, ordered.row_first);
    EXPECT_EQ(matrix.col, ordered.col);
    EXPECT_EQ(matrix.value, ordered.value);
  }
  EXPECT_EQ(read_triplets(head + first + first + third), (Triplets{{0, 1, 2}, {2, 0, 3}}));
}

TEST(MatrixMarket, PatternIsOnes) {
  EXPECT_EQ(read_triplets(pattern + "2 2 2\n2 1\n1 2\n"), (Triplets{{0, 1, 1}, {1, 0, 1}}));
}

TEST(MatrixMarket, IntegerHas64Bits) {
  EXPECT_EQ(read_triplets(integer + "1 3 3\n1 1 -9223372036854775808\n1 2 +7\n"
                                    "1 3 9007199254740993\n"),
            (Triplets{{0, 0, -0x1p63}, {0, 1, 7}, {0, 2, 0x1p53}}));
}

TEST(MatrixMarket, RealSpellings) {
  EXPECT_EQ(
      read_triplets(general + "1 6 6\n1 1 +1.5\n1 2 1.E2\n1 3 -.5e-1\n1 4 00012\n"
                              "1 5 5e-324\n1 6 1e-400\n"),
      (Triplets{{0, 0, 1.5}, {0, 1, 100}, {0, 2, -.05}, {0, 3, 12}, {0, 4, 5e-324}, {0, 5, 0}}));
  EXPECT_EQ(read_triplets(general +
                          "1 1 1\n1 1 0.1000000000000000055511151231257827021181583404541015625\n"),
            (Triplets{{0, 0, 0.1}}));
}

TEST(MatrixMarket, SymmetricIsMirrored) {
  const Triplets expected{{0, 0, 1}, {0, 1, 2}, {0, 2, 3}, {1, 0, 2}, {2, 0, 3}, {2, 2, 4}};
  EXPECT_EQ(read_triplets(symmetric + "3 3 4\n1 1 1\n2 1 2\n3 1 3\n3 3 4\n"), expected);
  EXPECT_EQ(read_triplets(symmetric + "3 3 4\n1 1 1\n1 2 2\n1 3 3\n3 3 4\n"), expected)
      << "the upper triangle means the same";
  EXPECT_EQ(read_triplets("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"),
            (Triplets{{0, 1, 1}, {1, 0, 1}}));
}

TEST(MatrixMarket, SkewSymmetricIsMirroredNegated) {
  EXPECT_EQ(read_triplets(skew + "3 3 2\n2 1 5\n3 2 -6\n"),
            (Triplets{{0, 1, -5}, {1, 0, 5}, {1, 2, 6}, {2, 1, -6}}));
  EXPECT_EQ(read_triplets(skew + "2 2 2\n1 1 0\n1 2 5\n"),
            (Triplets{{0, 0, 0}, {0, 1, 5}, {1, 0, -5}}));
}

TEST(MatrixMarket, ArrayRunsDownTheColumns) {
  EXPECT_EQ(read_triplets(array + "2 3\n1\n2\n0\n4\n5\n6\n"),
            (Triplets{{0, 0, 1}, {0, 1, 0}, {0, 2, 5}, {1, 0, 2}, {1, 1, 4}, {1, 2, 6}}));
  EXPECT_EQ(read_triplets("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n"),
            (Triplets{{0, 0, 1}, {0, 1, 2}, {1, 0, 2}, {1, 1, 3}}));
  EXPECT_EQ(read_triplets("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n"),
            (Triplets{{0, 1, -1}, {0, 2, -2}, {1, 0, 1}, {1, 2, -3}, {2, 0, 2}, {2, 1, 3}}));
  EXPECT_EQ(read("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").nnz(), 0);
}

TEST(MatrixMarket, HeaderInAnyCaseAndSpacing) {
  for (const char* header : {"%%matrixmarket MATRIX Coordinate REAL General\n",
                             "%%MatrixMarket\tmatrix   coordinate double general \r\n"}) {
    EXPECT_EQ(read_triplets(std::string(header) + "1 1 1\n1 1 3\n"), (Triplets{{0, 0, 3}}));
  }
}

TEST(MatrixMarket, CommentsBlankLinesBlanksAndCrlf) {
  EXPECT_EQ(read_triplets(general + "% a\n%\n\n  \t\n  % b\n 2\t2  2 \n\n% c\n\t1  1\t1 \t\n"
                                    "2 2 2\n\n% the end\n  \n"),
            (Triplets{{0, 0, 1}, {1, 1, 2}}));
  EXPECT_EQ(read_triplets("%%MatrixMarket matrix coordinate real general\r\n% a\r\n\r\n2 2 2\r\n"
                          "1 1 1 \r\n2 2 2\r\n"),
            (Triplets{{0, 0, 1}, {1, 1, 2}}));
}

TEST(MatrixMarket, LastLineNeedsNoNewline) {
  EXPECT_EQ(read_triplets(general + "1 1 1\n1 1 3"), (Triplets{{0, 0, 3}}));
  EXPECT_EQ(read_triplets(pattern + "1 1 1\n1 1\r"), (Triplets{{0, 0, 1}}));
  EXPECT_EQ(read_triplets(general + "1 1 0"), Triplets{});
}

TEST(MatrixMarket, DuplicatesAreSummedInFileOrder) {
  // 1 + 1e16 - 1e16 is 0 in this order, 1 from the back.
  EXPECT_EQ(read_triplets(general + "2 2 5\n1 2 1\n1 1 5\n1 2 1e16\n1 1 2\n1 2 -1e16\n"),
            (Triplets{{0, 0, 7}, {0, 1, 0}}));
  EXPECT_EQ(read_triplets(symmetric + "2 2 3\n2 1 1\n2 1 2\n2 2 4\n"),
            (Triplets{{0, 1, 3}, {1, 0, 3}, {1, 1, 4}}));
  EXPECT_EQ(read_triplets(pattern + "1 1 3\n1 1\n1 1\n1 1\n"), (Triplets{{0, 0, 3}}));
}

TEST(MatrixMarket, StoredZerosAreKept) {
  EXPECT_EQ(read_triplets(general + "2 2 4\n1 1 0\n1 2 -0.0\n2 1 1\n2 1 -1\n"),
            (Triplets{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}));
}

TEST(MatrixMarket, EmptyRowsAndColumnsAndNoEntries) {
  const Matrix matrix = read(general + "5 7 1\n3 4 1\n");
  EXPECT_EQ(matrix.row_first, (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(read(general + "5 7 0\n").row_first, std::vector<std::int32_t>(6, 0));
  EXPECT_EQ(read(general + "1 1 0\n").nnz(), 0);
}

TEST(MatrixMarket, IndicesUpToTheLimit) {
  EXPECT_EQ(read_triplets(general + "1 2147483647 1\n1 2147483647 3\n"),
            (Triplets{{0, 2147483646, 3}}));
  const Entries entries = parse_matrix_market(general + "2147483647 2147483647 1\n2147483647 1 3\n",
                                              "a.mtx", {index_limit, std::int64_t{1} << 40});
  EXPECT_EQ(entries.row, std::vector<std::int32_t>{2147483646});
}

TEST(MatrixMarket, LongUnsortedRowsWithDuplicates) {
  // Row 1 holds 0..999 three times over, from the back; the values tell the order of addition.
  std::string text = general + "2 1000 3000\n";
  for (int round = 0; round < 3; ++round) {
    for (int col = 1000; col >= 1; --col) {
      const char* value = round == 0 ? "1" : round == 1 ? "1e16" : "-1e16";
      text += "1 " + std::to_string(col) + " " + value + "\n";
    }
  }
  const Matrix matrix = read(text);
  EXPECT_EQ(matrix.nnz(), 1000);
  EXPECT_EQ(matrix.value, std::vector<double>(1000, 0.0));
  EXPECT_EQ(matrix.row_first, (std::vector<std::int32_t>{0, 1000, 1000}));
}

// ---- files that are refused

struct Refused {
  std::string text;
  std::string message;
};

void expect_refusals(const std::vector<Refused>& list) {
  for (const Refused& refused : list) EXPECT_EQ(refusal(refused.text), refused.message);
}

TEST(MatrixMarketRefuses, Headers) {
  const std::string none =
      "a.mtx:1: no Matrix Market header: the first line must open with '%%MatrixMarket matrix', "
      "then name layout, field and symmetry";
  expect_refusals({
      {"", "a.mtx:1: the file is empty"},
      {"1 1 1\n1 1 1\n", none},
      {"\n" + general + "1 1 0\n", none},
      {"%MatrixMarket matrix coordinate real general\n1 1 0\n", none},
      {"%%MatrixMarketmatrix coordinate real general\n1 1 0\n", none},
      {std::string("\0\0\0\0", 4), none},
      {"%%MatrixMarket\n", "a.mtx:1: the header ends before its object: write matrix"},
      {"%%MatrixMarket vector coordinate real general\n",
       "a.mtx:1: the object 'vector' is not supported: matrix can be read"},
      {"%%MatrixMarket matrix Sparse real general\n",
       "a.mtx:1: the layout 'Sparse' is not supported: coordinate or array can be read"},
      {"%%MatrixMarket matrix coordinate Rational general\n1 1 1\n1 1 1 0\n",
       "a.mtx:1: the field 'Rational' is not supported: real, integer, unsigned-integer, pattern "
       "or "
       "complex can be read"},
      {"%%MatrixMarket matrix coordinate complex diagonal\n1 1 0\n",
       "a.mtx:1: the symmetry 'diagonal' is not supported: general, symmetric, skew-symmetric or "
       "hermitian can be read"},
      {"%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n",
       "a.mtx:1: the symmetry 'hermitian' is not supported: general, symmetric or skew-symmetric "
       "can be read"},
      {"%%MatrixMarket matrix coordinate real\n1 1 0\n",
       "a.mtx:1: the header ends before its symmetry: write general, symmetric or skew-symmetric"},
      {"%%MatrixMarket matrix coordinate real general twice\n1 1 0\n",
       "a.mtx:1: 'twice' stands behind the line's last field"},
      {"%%MatrixMarket matrix array pattern general\n1 1\n",
       "a.mtx:1: an array of pattern has no values to read: name real or integer"},
      {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n",
       "a.mtx:1: a pattern has no signs and cannot be skew-symmetric"},
      {"%%MatrixMarket matrix coordinate real general\r1 1 0\r",
       "a.mtx:1: a carriage return ends no line by itself; convert the file with tr '\\r' '\\n'"},
  });
}

TEST(MatrixMarketRefuses, SizeLines) {
  expect_refusals({
      {general, "a.mtx:2: the file ends before its size line"},
      {general + "% only\n\n", "a.mtx:4: the file ends before its size line"},
      {general + "% only\r2 2 0\r",
       "a.mtx:2: a carriage return ends no line by itself; convert the file with tr '\\r' '\\n'"},
      {general + "2 2 1\n1 1\r2",
       "a.mtx:3: a carriage return ends no line by itself; convert the file with tr '\\r' '\\n'"},
      {general + "2 2\n", "a.mtx:2: the line ends before its entry count"},
      {general + "2 2 0 0\n", "a.mtx:2: '0' stands behind the line's last field"},
      {array + "2 2 4\n", "a.mtx:2: '4' stands behind the line's last field"},
      {general + "-2 2 0\n", "a.mtx:2: row count -2 is outside 0..2147483647"},
      {general + "2 0 0\n",
       "a.mtx:2: the matrix has 2 rows and 0 columns: there is nothing to multiply, and no kernel "
       "for it"},
      {general + "2 2 -1\n", "a.mtx:2: entry count -1 is outside 0..2147483647"},
      {general + "2.0 2 1\n", "a.mtx:2: row count '2.0' is not an integer"},
      {general + "two 2 1\n", "a.mtx:2: row count 'two' is not an integer"},
      {general + "2147483648 2 1\n", "a.mtx:2: row count 2147483648 is outside 0..2147483647"},
      {general + "2 18446744073709551617 1\n",
       "a.mtx:2: column count 18446744073709551617 is outside 0..2147483647"},
      {general + "2 2 2147483648\n", "a.mtx:2: entry count 2147483648 is outside 0..2147483647"},
      {symmetric + "2 3 1\n2 1 1\n",
       "a.mtx:2: a symmetric matrix must be square, this one is 2 x 3"},
      {skew + "3 2 1\n2 1 1\n",
       "a.mtx:2: a skew-symmetric matrix must be square, this one is 3 x 2"},
      {array + "65536 32768\n1\n",
       "a.mtx:2: 2147483648 entries, mirror images included, are more than the limit 2147483647"},
      {"%%MatrixMarket matrix array real symmetric\n46341 46341\n1\n",
       "a.mtx:2: 2147488281 entries, mirror images included, are more than the limit 2147483647"},
      {"%%MatrixMarket matrix array real skew-symmetric\n2147483647 2147483647\n1\n",
       "a.mtx:2: 4611686011984936962 entries, mirror images included, are more than the limit "
       "2147483647"},
  });
}

TEST(MatrixMarketRefuses, MoreEntriesThanTheLimitOnceMirrored) {
  const std::string text = symmetric + "% \n3 3 3\n2 1 1\n3 2 1\n3 3 1\n";
  EXPECT_EQ(refusal(text, {4, 1 << 20}),
            "a.mtx:3: 5 entries, mirror images included, are more than the limit 4");
  EXPECT_EQ(refusal(text, {5, 1 << 20}), "accepted");
}

TEST(MatrixMarketRefuses, SizesThatMemoryCannotHold) {
  EXPECT_EQ(refusal(general + "2147483647 1 0\n", {index_limit, 1'000'000'000}),
            "a.mtx:2: a matrix of this size takes 128.8 GB of memory, 1.0 GB are available; use a "
            "machine with more, or raise its limit");
  EXPECT_EQ(refusal(general + "10000000 10 1\n1 1 1\n", {index_limit, 599'999'999}).substr(0, 59),
            "a.mtx:2: a matrix of this size takes 600.0 MB of memory, 60");
  // Before the rest of the file is read.
  EXPECT_THROW(check_size_line(general + "2147483647 1 0\n", "a.mtx", {index_limit, 1'000'000}),
               Error);
  // The length of the text counts, not the promise of the size line.
  EXPECT_EQ(refusal(general + "1 1 2147483647\n1 1 1\n", {index_limit, 1'000}),
            "a.mtx:4: the file ends after 1 of the 2147483647 entries of its size line");
  EXPECT_EQ(refusal(array + "46340 46340\n1\n", {index_limit, 4'000'000}),
            "a.mtx:4: the file ends after 1 of the 2147395600 entries of its size line");
}

TEST(MatrixMarketRefuses, ShortAndLongFiles) {
  expect_refusals({
      {general + "2 2 2\n1 1 1\n",
       "a.mtx:4: the file ends after 1 of the 2 entries of its size line"},
      {general + "2 2 1\n", "a.mtx:3: the file ends after 0 of the 1 entries of its size line"},
      {array + "2 2\n1\n2\n3", "a.mtx:5: the file ends after 3 of the 4 entries of its size line"},
      {general + "2 2 1\n1 1 1\n\n% \n2 2 1\n",
       "a.mtx:6: the file goes on behind the 1 entries of its size line"},
      {array + "1 1\n1\n2\n", "a.mtx:4: the file goes on behind the 1 entries of its size line"},
  });
}

TEST(MatrixMarketRefuses, Indices) {
  expect_refusals({
      {general + "2 3 1\n3 1 1\n", "a.mtx:3: row index 3 is outside 1..2"},
      {general + "2 3 1\n1 4 1\n", "a.mtx:3: column index 4 is outside 1..3"},
      {general + "2 3 1\n0 1 1\n", "a.mtx:3: row index 0 is outside 1..2"},
      {general + "2 3 1\n1 -1 1\n", "a.mtx:3: column index -1 is outside 1..3"},
      {general + "2 3 1\n4294967297 1 1\n", "a.mtx:3: row index 4294967297 is outside 1..2"},
      {general + "2 3 1\n1 99999999999999999999999 1\n",
       "a.mtx:3: column index 99999999999999999999999 is outside 1..3"},
      {general + "2 3 1\n1.5 1 1\n", "a.mtx:3: row index '1.5' is not an integer"},
      {general + "2 3 1\nx 1 1\n", "a.mtx:3: row index 'x' is not an integer"},
      {general + "2 3 1\n1\n1 1\n", "a.mtx:3: the line ends before its column index"},
      {pattern + "2 3 1\n1 1 1\n", "a.mtx:3: '1' stands behind the line's last field"},
      {"%%MatrixMarket matrix coordinate real general\r\n2 3 1\r\n\r\n1 9 1\r\n",
       "a.mtx:4: column index 9 is outside 1..3"},
      {general + "2 3 1\n1 1 1 0\n", "a.mtx:3: '0' stands behind the line's last field"},
  });
}

TEST(MatrixMarketRefuses, Values) {
  const std::string real = general + "1 1 1\n% \n1 1 ";
  const std::string whole = integer + "1 1 1\n1 1 ";
  expect_refusals({
      {real, "a.mtx:4: the line ends before its value"},
      {real + "\n", "a.mtx:4: the line ends before its value"},
      {real + "one\n", "a.mtx:4: 'one' is not a number"},
      {real + "1.5x\n", "a.mtx:4: '1.5x' is not a number"},
      {real + "1,5\n", "a.mtx:4: '1,5' is not a number"},
      {real + "0x10\n", "a.mtx:4: '0x10' is not a number"},
      {real + "1d5d\n", "a.mtx:4: '1d5d' is not a number"},
      {real + "+-1\n", "a.mtx:4: '+-1' is not a number"},
      {real + "-\n", "a.mtx:4: '-' is not a number"},
      {real + "nan\n", "a.mtx:4: the value nan is not finite"},
      {real + "-NaN\n", "a.mtx:4: the value -NaN is not finite"},
      {real + "inf\n", "a.mtx:4: the value inf is not finite"},
      {real + "-Infinity\n", "a.mtx:4: the value -Infinity is not finite"},
      {real + "1e309\n", "a.mtx:4: 1e309 is beyond double's range"},
      {real + "-1e99999999999999999999\n",
       "a.mtx:4: -1e99999999999999999999 is beyond double's range"},
      {real + "\x1b[31mred" + std::string(100, 'z') + "\n",
       "a.mtx:4: '?[31mred" + std::string(32, 'z') + "...' is not a number"},
      {whole + "1.0\n", "a.mtx:3: '1.0' is not an integer, as the header has it"},
      {whole + "x\n", "a.mtx:3: 'x' is not an integer, as the header has it"},
      {whole + "\n", "a.mtx:3: the line ends before its value"},
      {whole + "9223372036854775808\n", "a.mtx:3: 9223372036854775808 is beyond 64 bits"},
      {whole + "-9223372036854775809\n", "a.mtx:3: -9223372036854775809 is beyond 64 bits"},
  });
}

TEST(MatrixMarketRefuses, SumsBeyondTheRange) {
  const std::string one = "\n1 1 1e308\n";
  expect_refusals({
      {general + "2 2 4" + one + "2 2 1\n% \n\n1 2 1\n" + one,
       "a.mtx:9: the sum of the duplicates of row 1, column 1 is beyond double's range"},
      {symmetric + "3 3 3\n3 1 1e308\n2 2 1\n3 1 1e308\n",
       "a.mtx:5: the sum of the duplicates of row 3, column 1 is beyond double's range"},
      {skew + "3 3 3\n3 1 -1e308\n% \n2 1 1\n3 1 -1e308\n",
       "a.mtx:6: the sum of the duplicates of row 3, column 1 is beyond double's range"},
  });
}

TEST(MatrixMarketRefuses, TrianglesAndDiagonals) {
  expect_refusals({
      {symmetric + "3 3 3\n2 1 1\n3 3 1\n1 3 1\n",
       "a.mtx:5: entry 1, 3 is above the diagonal, but line 3 has one below it: a symmetric file "
       "stores one triangle"},
      {skew + "3 3 2\n1 2 1\n2 1 -1\n",
       "a.mtx:4: entry 2, 1 is below the diagonal, but line 3 has one above it: a skew-symmetric "
       "file stores one triangle"},
      {skew + "3 3 2\n2 1 1\n2 2 1e-300\n",
       "a.mtx:4: diagonal entry 2, 2 of a skew-symmetric matrix is not zero"},
  });
}

}  // namespace
}  // namespace alphasparse
