// complex_market: Matrix Market files of complex values, in all symmetries, and back as files.
#include <gtest/gtest.h>

#include <complex>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "generator/arrays/matrix.h"
#include "runtime/matrices/read_limits.h"
#include "runtime/matrices/text/matrix_market.h"
#include "runtime/matrices/text/write_matrix_market.h"
#include "runtime/system/files/temporary_folder.h"

namespace alphasparse::complex_market {
namespace {

using Complex = std::complex<double>;
using Triplets = std::vector<std::tuple<int, int, Complex>>;  // row and column from 0

std::string header(const std::string& layout, const std::string& symmetry) {
  return "%%MatrixMarket matrix " + layout + " complex " + symmetry + "\n";
}

const std::string general = header("coordinate", "general");
const std::string symmetric = header("coordinate", "symmetric");
const std::string skew = header("coordinate", "skew-symmetric");
const std::string hermitian = header("coordinate", "hermitian");

Matrix read(const std::string& text) {
  Matrix matrix = canonical(parse_matrix_market(text, "a.mtx"));
  EXPECT_EQ(check_canonical(matrix), "");
  return matrix;
}

Triplets read_triplets(const std::string& text) {
  const Matrix matrix = read(text);
  EXPECT_TRUE(matrix.is_complex());
  Triplets list;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz)
      list.emplace_back(row, matrix.col[nz], Complex(matrix.value[nz], matrix.imag[nz]));
  }
  return list;
}

std::string complex_refusal(const std::string& text, const ReadLimits& limits = {}) {
  try {
    canonical(parse_matrix_market(text, "a.mtx", limits));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "accepted";
}

/// Entries at and below the diagonal in no order, of more bytes than a long file has.
std::string long_text(const std::string& symmetry) {
  constexpr int rows = 200'000, count = 300'000;
  std::string text = header("coordinate", symmetry) + std::to_string(rows) + " " +
                     std::to_string(rows) + " " + std::to_string(count) + "\n";
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t row = 2 + i * 7919 % (rows - 1), col = 1 + i * 104'729 % (row - 1);
    if (i % 5000 == 7) text += "% a comment\n";
    text += std::to_string(row) + " " + std::to_string(col) + " " + std::to_string(i) + " -" +
            std::to_string(i) + ".25\n";
  }
  return text;
}

TEST(ComplexMarket, CoordinatesInEachSymmetry) {
  EXPECT_EQ(read_triplets(general + "2 3 3\n2 1 -1.5D1 0\n1 3 0 2\n1 1 +1 -2e3\n"),
            (Triplets{{0, 0, {1, -2000}}, {0, 2, {0, 2}}, {1, 0, {-15, 0}}}));
  EXPECT_EQ(read_triplets(symmetric + "2 2 2\n1 1 1 2\n2 1 3 4\n"),
            (Triplets{{0, 0, {1, 2}}, {0, 1, {3, 4}}, {1, 0, {3, 4}}}));
  EXPECT_EQ(read_triplets(skew + "2 2 2\n1 1 0 -0\n2 1 3 4\n"),
            (Triplets{{0, 0, 0}, {0, 1, {-3, -4}}, {1, 0, {3, 4}}}));
  const Triplets expected{{0, 0, 1}, {0, 1, {3, -4}}, {1, 0, {3, 4}}, {1, 1, -2}};
  EXPECT_EQ(read_triplets(hermitian + "2 2 3\n1 1 1 0\n2 1 3 4\n2 2 -2 -0.0\n"), expected);
  EXPECT_EQ(read_triplets(hermitian + "2 2 3\n2 2 -2 0\n1 2 3 -4\n1 1 1 0\n"), expected)
      << "the upper triangle means the same";
}

TEST(ComplexMarket, ArraysInEachSymmetry) {
  EXPECT_EQ(read_triplets(header("array", "general") + "2 1\n1 2\n3 4\n"),
            (Triplets{{0, 0, {1, 2}}, {1, 0, {3, 4}}}));
  EXPECT_EQ(read_triplets(header("array", "symmetric") + "2 2\n1 2\n3 4\n5 6\n"),
            (Triplets{{0, 0, {1, 2}}, {0, 1, {3, 4}}, {1, 0, {3, 4}}, {1, 1, {5, 6}}}));
  const Triplets negated{{0, 1, {-3, -4}}, {1, 0, {3, 4}}};
  EXPECT_EQ(read_triplets(header("array", "skew-symmetric") + "2 2\n3 4\n"), negated);
  EXPECT_EQ(read_triplets(header("array", "skew-symmetric") + "2 2\n0 0\n3 4\n0 -0\n"), negated);
  EXPECT_EQ(read_triplets(header("array", "hermitian") + "2 2\n1 0\n3 4\n5 0\n"),
            (Triplets{{0, 0, 1}, {0, 1, {3, -4}}, {1, 0, {3, 4}}, {1, 1, 5}}));
}

TEST(ComplexMarket, SymmetriesAreThoseOfTheMatrix) {
  const std::string entries = "3 3 3\n2 1 3 4\n3 1 5 0\n3 2 0 -6\n";
  EXPECT_EQ(find_mirror(read(general + entries)), Mirror::none);
  EXPECT_EQ(find_mirror(read(symmetric + entries)), Mirror::same);
  EXPECT_EQ(find_mirror(read(skew + entries)), Mirror::negated);
  EXPECT_EQ(find_mirror(read(hermitian + entries)), Mirror::conjugate);
  Matrix real_couplings{2, 2, {0, 1, 2}, {1, 0}, {3, 3}, {0, 0}};
  EXPECT_EQ(find_mirror(real_couplings), Mirror::same);
  real_couplings.imag = {0, -0.0};
  EXPECT_EQ(find_mirror(real_couplings), Mirror::same);
  const Matrix both{
      3, 3, {0, 2, 4, 6}, {1, 2, 0, 2, 0, 1}, {3, 1, 3, 5, 1, 5}, {0, 2, 0, 0, -2, -0.0}};
  EXPECT_EQ(find_mirror(both), Mirror::conjugate);
}

TEST(ComplexMarket, DuplicatesAreSummedInFileOrder) {
  // 1 + 1e16 - 1e16 is 0 in this order, 1 from the back.
  const std::string duplicates = "2 1 1 1\n1 1 5 0\n2 1 2 1e16\n2 1 4 -1e16\n1 1 1 0\n";
  EXPECT_EQ(read_triplets(general + "2 2 5\n" + duplicates), (Triplets{{0, 0, 6}, {1, 0, {7, 0}}}));
  EXPECT_EQ(read_triplets(hermitian + "3 3 6\n3 2 1 1\n" + duplicates),
            (Triplets{{0, 0, 6}, {0, 1, 7}, {1, 0, 7}, {1, 2, {1, -1}}, {2, 1, {1, 1}}}));
}

TEST(ComplexMarket, LongTextsAndFilesAreReadByPieces) {
  const std::string text = long_text("hermitian");
  ASSERT_GT(text.size(), static_cast<std::size_t>(long_file_bytes));
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "long.mtx";
  std::ofstream(file, std::ios::binary) << text;
  std::optional<Entries> of_file = read_long_matrix_market(file);
  ASSERT_TRUE(of_file);
  Entries entries = parse_matrix_market(text, "a.mtx");
  EXPECT_TRUE(of_file->imag == entries.imag);
  ASSERT_EQ(entries.imag.size(), entries.value.size());
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < entries.count(); ++i)
    wrong += entries.value[i] != static_cast<double>(i) || entries.imag[i] != -(i + .25);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(entries.line(7), 2 + 8 + 1);
  const Matrix matrix = canonical(std::move(entries));
  EXPECT_EQ(check_canonical(matrix), "");
  EXPECT_EQ(find_mirror(matrix), Mirror::conjugate);
  EXPECT_EQ(fingerprints(canonical(std::move(*of_file))).values, fingerprints(matrix).values);
}

TEST(ComplexMarket, LongTextsAreRefusedWhereTheyAreWrong) {
  std::string text = long_text("hermitian");
  const std::string at_last = "a.mtx:300062: ";
  const auto with_last = [&](const std::string& line) {
    return complex_refusal(text.substr(0, text.rfind('\n', text.size() - 2) + 1) + line + "\n");
  };
  EXPECT_EQ(with_last("9 9 1 0"), "accepted");
  EXPECT_EQ(with_last("9 9 1 -1"), at_last +
                                       "diagonal entry 9, 9 of a hermitian matrix is not real: "
                                       "its imaginary part must be 0");
  EXPECT_EQ(with_last("9 8 1"), at_last + "the line ends before its imaginary part");
  EXPECT_NE(with_last("8 9 1 1").find("a hermitian file stores one triangle"), std::string::npos);
}

TEST(ComplexMarket, WhatIsWrongIsRefused) {
  const std::string one = general + "1 1 1\n1 1 ";
  const std::string range =
      "a.mtx:4: the sum of the duplicates of row 1, column 1 is beyond "
      "double's range";
  const std::vector<std::pair<std::string, std::string>> list = {
      {one, "a.mtx:3: the line ends before its real part"},
      {one + "1\n", "a.mtx:3: the line ends before its imaginary part"},
      {one + "1 x\n", "a.mtx:3: 'x' is not a number"},
      {one + "1 2i\n", "a.mtx:3: '2i' is not a number"},
      {one + "nan 1\n", "a.mtx:3: the real part nan is not finite"},
      {one + "1 inf\n", "a.mtx:3: the imaginary part inf is not finite"},
      {one + "1 1e309\n", "a.mtx:3: 1e309 is beyond double's range"},
      {one + "1 2 3\n", "a.mtx:3: '3' stands behind the line's last field"},
      {header("array", "general") + "1 1\n1\n", "a.mtx:3: the line ends before its imaginary part"},
      {hermitian + "1 1 1\n1 1 0 1e-300\n",
       "a.mtx:3: diagonal entry 1, 1 of a hermitian matrix is not real: its imaginary part must be "
       "0"},
      {header("array", "hermitian") + "2 2\n1 0\n3 4\n5 6\n",
       "a.mtx:5: diagonal entry 2, 2 of a hermitian matrix is not real: its imaginary part must be "
       "0"},
      {skew + "1 1 1\n1 1 0 1\n",
       "a.mtx:3: diagonal entry 1, 1 of a skew-symmetric matrix is not zero"},
      {header("array", "skew-symmetric") + "2 2\n0 1\n3 4\n0 0\n",
       "a.mtx:3: diagonal entry 1, 1 of a skew-symmetric matrix is not zero"},
      {hermitian + "2 2 2\n2 1 1 1\n1 2 1 -1\n",
       "a.mtx:4: entry 1, 2 is above the diagonal, but line 3 has one below it: a hermitian file "
       "stores one triangle"},
      {hermitian + "2 3 0\n", "a.mtx:2: a hermitian matrix must be square, this one is 2 x 3"},
      {general + "1 1 2\n1 1 1e308 0\n1 1 1e308 0\n", range},
      {general + "1 1 2\n1 1 0 -1e308\n1 1 0 -1e308\n", range},
      {hermitian + "2 2 2\n2 1 0 1e308\n2 1 0 1e308\n",
       "a.mtx:4: the sum of the duplicates of row 2, column 1 is beyond double's range"},
  };
  for (const auto& [text, message] : list) EXPECT_EQ(complex_refusal(text), message);
}

TEST(ComplexMarket, ImaginaryPartsCountAsMemory) {
  EXPECT_EQ(count_memory({0, 0, 1, true}), count_memory({0, 0, 1}) + 16);
  EXPECT_EQ(count_memory({0, 0, 1, true}, true), count_memory({0, 0, 1}, true) + 24);
  const ReadLimits of_real{index_limit, count_memory({1, 2, 2})};
  EXPECT_EQ(complex_refusal("%%MatrixMarket matrix coordinate real general\n1 2 2\n1 1 1\n1 2 1\n",
                            of_real),
            "accepted");
  EXPECT_NE(
      complex_refusal(general + "1 2 2\n1 1 1 1\n1 2 1 1\n", of_real).find("a.mtx:2: a matrix of"),
      std::string::npos);
}

TEST(ComplexMarket, WhatIsWrittenReadsBackBitForBit) {
  const Matrix matrix = read(general +
                             "3 3 4\n1 2 0.1 -0.0\n1 3 -0.0 5e-324\n3 1 1 0\n"
                             "3 3 1.7976931348623157e308 -0.30000000000000004\n");
  std::string text;
  write_matrix_market([&](std::string_view part) { text += part; }, matrix, "by a test");
  EXPECT_TRUE(text.starts_with(general + "% by a test\n3 3 4\n1 2 0.1 -0\n")) << text;
  const Matrix again = read(text);
  EXPECT_EQ(fingerprints(again).pattern, fingerprints(matrix).pattern);
  EXPECT_EQ(fingerprints(again).values, fingerprints(matrix).values);
  // All real parts are 1.
  text.clear();
  const Matrix ones = read(general + "1 2 2\n1 1 1 0\n1 2 1 0\n");
  write_matrix_market([&](std::string_view part) { text += part; }, ones, "by a test");
  EXPECT_EQ(fingerprints(read(text)).values, fingerprints(ones).values);
}

}  // namespace
}  // namespace alphasparse::complex_market
