// matrix_formats: Rutherford-Boeing, MATLAB 5 and .smtx files become the matrix that the same
// entries as text become, and each refusal is one line that names the file.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/matrices/matrix_file.h"
#include "tests/support/archives.h"
#include "tests/support/matlab_files.h"

namespace alphasparse {
namespace {

using I32 = std::vector<std::int32_t>;
using F64 = std::vector<double>;

// 2 x 3: (0, 0) 1, (0, 2) 2, (1, 1) -3.
const std::string small_market =
    "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1\n1 3 2\n2 2 -3\n";

std::string boeing(const std::string& type, const std::string& sizes, const std::string& numbers,
                   const std::string& formats = "(4I3)           (3I3)           (2E12.4)") {
  return "A title that is read by nobody                                          KEY\n"
         "             5             1             1             2\n" +
         type + "           " + sizes + "\n" + formats + "\n" + numbers;
}

const std::string rua =
    boeing("RUA", " 2 3 3 0", "  1  2  3  4\n  1  2  1\n  1.0000E+00 -3.0000D+00\n   .2000+001\n");

std::string plain_mat(bool is_packed) {
  return matlab_file({matlab_sparse("A", 2, 3, {0, 1, 0}, {0, 1, 2, 3}, {1, -3, 2})}, is_packed);
}

const std::string smtx = "2, 3, 3\n0 2 3\n0 2 1\n";

std::string format_refusal(const std::string& bytes, const std::string& member = "",
                           const ReadLimits& limits = {}) {
  try {
    parse_matrix(bytes, "m", member, limits);
  } catch (const Error& error) {
    const std::string reason = error.what();
    EXPECT_EQ(error.code(), ExitCode::bad_input) << reason;
    EXPECT_EQ(reason.find('\n'), std::string::npos) << reason;
    EXPECT_TRUE(reason.starts_with("m")) << reason;
    EXPECT_LT(reason.size(), 600u) << reason;
    return reason;
  }
  return "read";
}

void expect_told(const std::string& bytes, const std::string& text,
                 const std::string& member = "") {
  const std::string reason = format_refusal(bytes, member);
  EXPECT_NE(reason.find(text), std::string::npos) << reason << "\nnot: " << text;
}

void expect_read(const std::string& bytes, const std::string& member = "") {
  SCOPED_TRACE(format_refusal(bytes, member));
  ASSERT_EQ(format_refusal(bytes, member), "read");
  const Matrix matrix = parse_matrix(bytes, "m", member);
  EXPECT_EQ(check_canonical(matrix), "");
  EXPECT_EQ(matrix.cols, 3);
  EXPECT_EQ(matrix.row_first, (I32{0, 2, 3}));
  EXPECT_EQ(matrix.col, (I32{0, 2, 1}));
  EXPECT_EQ(matrix.value, (F64{1, 2, -3}));
}

TEST(RutherfordBoeing, IsReadByTheFormatsInItsHeader) {
  expect_read(rua);
  // Fields may touch, and lines end in CR LF.
  expect_read(boeing("rua", "2 3 3 0", "1234\r\n121\r\n 1.0-3.0 2.0\r\n", "(4I1) (3I1) (4F4.1)"));
  // A slash at the end of a format is an empty line.
  expect_read(boeing("rua", "2 3 3 0", "  1  2  3  4\n\n  1  2  1\n\n1.0\n-3.\n2.0\n",
                     "(4I3/) (3I3/) (F3.1)"));
  // Some programs write other columns than their formats say.
  expect_read(boeing("rua", "2 3 3 0", "  1  2  3  4\n  1  2  1\n  1.0000E+00 -3.0000E+00  2.0\n",
                     "(4I3) (3I3) (3E13.4)"));
  const std::string symmetric =
      boeing("rsa", "2 2 2 0", "  1  3  3\n  1  2\n 5.0  7.0\n", "(4I3) (3I3) (2F5.1)");
  const Matrix mirrored = parse_matrix(symmetric, "m");
  EXPECT_EQ(mirrored.value, (F64{5, 7, 7}));
  const Matrix pattern =
      parse_matrix(boeing("psa", "2 2 2 0", "  1  3  3\n  1  2\n", "(4I3)           (3I3)"), "m");
  EXPECT_EQ(pattern.value, (F64{1, 1, 1}));
  const Matrix skew =
      parse_matrix(boeing("rza", "2 2 1 0", "  1  2  2\n  2\n 7.0\n", "(4I3) (3I3) (2F5.1)"), "m");
  EXPECT_EQ(skew.value, (F64{-7, 7}));
}

TEST(RutherfordBoeing, RightHandSidesArePassedOver) {
  std::string text = rua;
  const std::size_t second = text.find('\n') + 1, third = text.find('\n', second) + 1;
  text.replace(second, third - second, "  6  1  1  2  1\n");
  const std::string formats = "(2E12.4)\n";
  const std::size_t numbers = text.find(formats) + formats.size();
  text.insert(numbers, "F             1             0\n");
  text += "  1.0 2.0\n";
  expect_read(text);
}

// With groups and scales, and right-hand sides behind the values.
TEST(RutherfordBoeing, AFormatWithAGroupHasAllItsFieldsOnALine) {
  const std::string text =
      "t\n12 1 1 2 6\nRUA 6 6 6 0\n(8I9) (8I9) (3(1P,E24.16)) (3(1P,E24.16))\nFGX 1 0\n"
      "        1        2        3        4        5        6        7\n"
      "        1        2        3        4        5        6\n"
      "  1.0000000000000000E+00  2.0000000000000000E+00  3.0000000000000000E+00\n"
      "  4.0000000000000000E+00  5.0000000000000000E+00  6.0000000000000000E+00\n"
      "  7.0000000000000000E+00  8.0000000000000000E+00  9.0000000000000000E+00\n";
  EXPECT_EQ(parse_matrix(text, "m").value, (F64{1, 2, 3, 4, 5, 6}));
}

TEST(RutherfordBoeing, ValuesWithoutAPointAndColumnsThatArePassedOver) {
  const std::string sizes = "3 3 4 0";
  const std::string no_point =
      boeing("RSA", sizes,
             "        1        3        4        5\n        1        3        2    "
             "    3\n      4000      1000      3000      5000\n",
             "(8I9)           (8I9)           (4F10.3)");
  EXPECT_EQ(parse_matrix(no_point, "m").value, (F64{4, 1, 3, 1, 5}));
  const std::string passed_over =
      boeing("RSA", sizes,
             "         1        3        4        5\n         1        3        2   "
             "     3\n     4.000     1.000     3.000     5.000\n",
             "(1X,8I9)        (1X,8I9)        (4F10.3)");
  EXPECT_EQ(parse_matrix(passed_over, "m").value, (F64{4, 1, 3, 1, 5}));
}

TEST(RutherfordBoeing, ComplexValuesArePairs) {
  const auto expect_values = [](const std::string& text, const F64& real, const F64& imag) {
    ASSERT_EQ(format_refusal(text), "read");
    const Matrix matrix = parse_matrix(text, "m");
    EXPECT_EQ(check_canonical(matrix), "");
    EXPECT_EQ(matrix.value, real);
    EXPECT_EQ(matrix.imag, imag);
  };
  // A pair may stand on two lines.
  const std::string entries = "  1  2  3  4\n  1  2  1\n";
  const std::string pairs = "  1.0000E+00 -1.0000D+00\n -3.0000E+00  4.0000E+00\n 2.0 .5\n";
  for (const char* const type : {"cua", "CRA"})
    expect_values(boeing(type, "2 3 3 0", entries + pairs), {1, 2, -3}, {-1, 0.5, 4});
  expect_values(
      boeing("cua", "2 3 3 0", entries + " 1.0-1.0-3.0\n 4.0 2.0 0.5\n", "(4I3) (3I3) (3F4.1)"),
      {1, 2, -3}, {-1, 0.5, 4});
  const auto triangle = [](const std::string& type, const std::string& numbers) {
    return boeing(type, "2 2 2 0", "  1  3  3\n  1  2\n" + numbers, "(4I3) (3I3) (2F5.1)");
  };
  expect_values(triangle("csa", " 5.0  6.0\n  7.0  8.0\n"), {5, 7, 7}, {6, 8, 8});
  expect_values(triangle("cha", " 5.0  0.0\n  7.0  8.0\n"), {5, 7, 7}, {0, -8, 8});
  expect_values(triangle("cza", " 0.0  0.0\n  7.0  8.0\n"), {0, -7, 7}, {0, -8, 8});
  expect_told(triangle("cha", " 5.0  6.0\n  7.0  8.0\n"),
              "m:7: diagonal entry 1, 1 of a hermitian matrix is not real");
  expect_told(triangle("cza", " 0.0  6.0\n  7.0  8.0\n"),
              "m:7: diagonal entry 1, 1 of a skew-symmetric matrix is not zero");
  expect_told(triangle("rza", " 5.0\n  7.0\n"), "m:7: diagonal entry 1, 1 of a skew-symmetric");
  expect_told(triangle("csa", " 5.0  0.0\n  7.0    x\n"), "m:8: 'x' is not a number");
  expect_told(triangle("csa", " 5.0  0.0\n"), "m:7: the file ends before a value");
  expect_told(boeing("cha", "2 3 3 0", entries + pairs), "a hermitian matrix must be square");
}

TEST(RutherfordBoeing, WhatIsWrongIsTold) {
  const std::string sizes = "2 3 3 0";
  const std::string numbers = "  1  2  3  4\n  1  2  1\n 1.0 2.0\n";
  expect_told(boeing("rha", sizes, numbers), "m:3: is Hermitian without complex values");
  expect_told(boeing("rue", sizes, numbers), "m:3: is not assembled");
  expect_told(boeing("rsa", sizes, numbers), "must be square");
  expect_told(boeing("rua", "0 3 0 0", numbers), "has 0 rows and 3 columns");
  expect_told(boeing("rua", "2 3 900000000000 0", numbers), "entries");
  expect_told(boeing("rua", "2 3 2000000 0", numbers), "too short");
  expect_told(boeing("rua", sizes, "  1\n"), "too short");
  expect_told(boeing("rua", sizes, "  1  2  3  5\n  1  2  1\n 1.0 2.0 3.0\n"), "outside 3..4");
  expect_told(boeing("rua", sizes, "  1  2  3  4\n  1  3  1\n 1.0 2.0 3.0\n"),
              "m:6: the row index 3 is outside 1..2");
  expect_told(rua.substr(0, rua.rfind('\n', rua.size() - 2) + 1), "ends before a value");
  expect_told(boeing("rua", sizes, "  1  2  3  4\n  1  2  1\n 1.0         x           \n 3.0\n"),
              "m:7: 'x' is not a number");
  expect_told(boeing("rua", sizes, numbers, "(4I3) (3Q3) (2E12.4)"), "(3Q3)");
  expect_told(boeing("rsa", "2 2 2 0", "  1  2  3\n  2  1\n 5.0  7.0\n", "(4I3) (3I3) (2F5.1)"),
              "one triangle");
}

TEST(Matlab, SparseVariablesAreRead) {
  expect_read(plain_mat(true));
  expect_read(plain_mat(false));
  expect_read(plain_mat(true), "A");
  const std::string a = matlab_sparse("", 2, 3, {0, 1, 0}, {0, 1, 2, 3}, {1, -3, 2});
  const std::string b = matlab_sparse("", 2, 1, {0}, {0, 1}, {1});
  const std::string problem =
      matlab_struct("Problem", {{"name", matlab_dense("", 1, 1)}, {"b", b}, {"A", a}});
  expect_read(matlab_file({problem}));
  expect_read(matlab_file({problem}, false));
  expect_read(matlab_file({matlab_dense("other", 300, 400), problem}), "Problem.A");
  const std::string large = matlab_struct(
      "Problem",
      {{"coord", matlab_dense("", 300, 400)}, {"A", a}, {"x", matlab_dense("", 1, 9000)}});
  expect_read(matlab_file({large}));
  expect_read(matlab_file({large}, false));
  ReadLimits limits;
  limits.memory_bytes = 100'000;  // dense fields are passed over
  EXPECT_EQ(format_refusal(matlab_file({large}), "", limits), "read");
}

TEST(Matlab, ComplexValuesAreTwoElements) {
  const auto variable = [](const F64& imag) {
    return matlab_sparse("A", 2, 3, {0, 1, 0}, {0, 1, 2, 3}, {1, -3, 2}, 0x805, imag);
  };
  for (const bool is_packed : {true, false}) {
    const std::string file = matlab_file({variable({-1, 4, 0.5})}, is_packed);
    expect_read(file);
    EXPECT_EQ(parse_matrix(file, "m").imag, (F64{-1, 0.5, 4}));
    expect_told(matlab_file({variable({-1, 4})}, is_packed),
                "m: MATLAB file: the variable A has 2 imaginary parts in 24 bytes, from byte 80 of "
                "its 104 on, for 3 entries: fetch or write the file again");
    expect_told(matlab_file({variable({})}, is_packed), "has 0 imaginary parts in 0 bytes");
    expect_told(matlab_file({variable({1, 2, INFINITY})}, is_packed), "has the value inf in row 1");
  }
  const std::string a = variable({-1, 4, 0.5});
  const std::string cut = matlab_file({a}, false);
  expect_told(cut.substr(0, cut.size() - 12), "ends within a variable");
  // The variable ends within its imaginary part, and the file with it.
  const auto bytes = static_cast<std::uint32_t>(a.size() - 8 - 16);
  std::string half = a.substr(0, a.size() - 16);
  half.replace(4, 4, reinterpret_cast<const char*>(&bytes), 4);
  expect_told(matlab_file({half}, false),
              "has 0 imaginary parts in 16 bytes, from byte 80 of its 96");
}

TEST(Matlab, WhatIsWrongIsTold) {
  const auto sparse = [](const std::string& name, const I32& row, const I32& first,
                         const F64& value, std::uint32_t flags = 5) {
    return matlab_sparse(name, 2, 3, row, first, value, flags);
  };
  const std::string a = sparse("A", {0, 1, 0}, {0, 1, 2, 3}, {1, -3, 2});
  const std::string b = sparse("B", {0, 1, 0}, {0, 1, 2, 3}, {1, -3, 2});
  expect_told(matlab_file({a, b}), "has 2 sparse variables; name one, as m:B: A, B");
  expect_read(matlab_file({a, b}), "B");
  expect_told(matlab_file({a, b}), "has no variable C; sparse are: A, B", "C");
  expect_told(matlab_file({matlab_dense("d", 2, 2)}), "no sparse variable");
  expect_told(matlab_file({a, matlab_dense("d", 2, 2)}), "is dense: save it as sparse(d)", "d");
  expect_told(matlab_file({sparse("A", {0, 2, 0}, {0, 1, 2, 3}, {1, -3, 2})}), "row 3 of 2");
  expect_told(matlab_file({sparse("A", {0, 1, 0}, {0, 2, 1, 3}, {1, -3, 2})}), "overlap");
  expect_told(matlab_file({sparse("A", {0, 1, 0}, {0, 1, 2, 9}, {1, -3, 2})}), "3 values for 9");
  expect_told(matlab_file({sparse("A", {0, 1, 0}, {0, 1, 3}, {1, -3, 2})}), "2 columns, not 3");
  expect_told(matlab_file({sparse("A", {0, 1, 0}, {0, 1, 2, 3}, {1, INFINITY, 2})}), "value inf");
  expect_told(matlab_file({matlab_sparse("A", 0, 3, {}, {0, 0, 0, 0}, {})}), "has 0 rows");
  const std::string file = plain_mat(true);
  expect_told(file.substr(0, file.size() - 5), "ends within a variable");
  std::string damaged = file;
  damaged[150] = static_cast<char>(damaged[150] ^ 0x55);
  EXPECT_NE(format_refusal(damaged), "read");
}

TEST(Matlab, OtherVersionsAreToldFrom5) {
  std::string hdf5 = "MATLAB 7.3 MAT-file, Platform: GLNXA64";
  hdf5.resize(512, ' ');
  hdf5 += "\x89HDF\r\n\x1a\n";
  expect_told(hdf5, "is an HDF5 file, as MATLAB 7.3 writes it: save the matrix with save(");
  std::string version_4("\0\0\0\0\2\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0A\0", 22);
  expect_told(version_4 + std::string(32, '\0'), "is a MATLAB 4 file");
}

TEST(Smtx, PatternsAreRead) {
  const Matrix matrix = parse_matrix(smtx, "m");
  EXPECT_EQ(check_canonical(matrix), "");
  EXPECT_EQ(matrix.row_first, (I32{0, 2, 3}));
  EXPECT_EQ(matrix.col, (I32{0, 2, 1}));
  EXPECT_EQ(matrix.value, (F64{1, 1, 1}));
  EXPECT_EQ(parse_matrix("2,3,3\r\n0 2 3\r\n0 2 1", "m").nnz(), 3);
}

TEST(Smtx, WhatIsWrongIsTold) {
  expect_told("2, 3, 3\n0 2\n0 2 1 1\n", "m:3: ");
  expect_told("2, 3, 3\n0 2 4\n0 2 1\n", "m:2: first non-zero of a row 4 is outside 2..3");
  expect_told("2, 3, 3\n0 2 3\n0 3 1\n", "m:3: column 3 is outside 0..2");
  expect_told("2, 3, 3\n0 2 3\n0 2\n", "the file ends before its 2 rows and 3 non-zeros");
  expect_told("2, 3, 3\n0 2 3\n0 2 1 0\n", "goes on behind its 3 non-zeros");
  expect_told("0, 3, 0\n0\n\n", "has 0 rows");
  expect_told("2, 3, 2000000000\n0 2 3\n0 2 1\n", "of memory, ", "");
}

TEST(MatrixMarketDialects, IsReadAsProgramsWriteIt) {
  expect_read("\xef\xbb\xbf" + small_market);
  expect_read(
      "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.D+00\n1 3 2d0\n2 2 -.3+001\n");
  expect_read(
      "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 0.1Q1\n1 3 +2.0D0\n2 2 -3\n");
  const Matrix large = parse_matrix(
      "%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 "
      "18446744073709551615\n",
      "m");
  EXPECT_EQ(large.value, F64{18446744073709551616.0});
  expect_told("%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 -1\n",
              "m:3: '-1' is not an unsigned integer");
  expect_told(
      "%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 "
      "18446744073709551616\n",
      "beyond 64 bits");
  expect_told("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1.5D+999\n",
              "m:3: 1.5D+999 is beyond double's range");
  expect_told("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1.5D\n",
              "m:3: '1.5D' is not a number");
}

TEST(MatrixMarketDialects, ASkewSymmetricArrayMayStoreItsZeros) {
  const std::string header = "%%MatrixMarket matrix array real skew-symmetric\n3 3\n";
  const Matrix without = parse_matrix(header + "1\n2\n3\n", "m");
  const Matrix with = parse_matrix(header + "0\n1\n2\n0\n3\n0\n", "m");
  EXPECT_EQ(with.col, without.col);
  EXPECT_EQ(with.value, without.value);
  expect_told(header + "0\n1\n2\n4\n3\n0\n", "m:6: diagonal entry 2, 2");
  expect_told(header + "0\n1\n2\n0\n3\n", "goes on behind the 3 entries");
}

TEST(MatrixMarketDialects, NothingToMultiplyIsSaid) {
  for (const char* const sizes : {"0 5 0", "5 0 0", "0 0 0"}) {
    expect_told(std::string("%%MatrixMarket matrix coordinate real general\n") + sizes + "\n",
                "there is nothing to multiply");
  }
}

TEST(FileKinds, WhatIsNoMatrixIsNamed) {
  expect_told("\n<!DOCTYPE html><html>", "is an HTML page, probably a failed download");
  expect_told(packed("<html><body>404</body></html>", "gzip"), "HTML page");
  expect_told(packed("<html><body>404</body></html>", "xz"), "HTML page");
  expect_told("\x89HDF\r\n\x1a\n and more", "is an HDF5 file");
  expect_told("version https://git-lfs.github.com/spec/v1\n", "git lfs pull");
  expect_told("%PDF-1.7", "PDF");
  expect_told(std::string(2000, '\0'), "no reader knows");
  expect_told("1 2\n3 4\n", "m:1: no Matrix Market header");
  expect_told("", "m:1: the file is empty");
}

TEST(Containers, HoldEachFormat) {
  for (const char* const packing : {"gzip", "bzip2", "xz", "zstd"}) {
    SCOPED_TRACE(packing);
    for (const std::string& content : {small_market, rua, plain_mat(true)}) {
      expect_read(packed(content, packing));
      expect_read(archived({{"a/README", "read me"}, {"a/a.mtx", content}}, "tar", packing));
    }
    EXPECT_EQ(parse_matrix(packed(smtx, packing), "m").nnz(), 3);
  }
  for (const char* const format : {"tar", "zip", "stored"}) {
    SCOPED_TRACE(format);
    expect_read(archived({{"a/a.txt", small_market}}, format));
    expect_read(archived({{"a.mtx.gz", packed(small_market, "gzip")}}, format));
    expect_read(archived({{"inner.tar", archived({{"m.mtx", small_market}}, "tar")}}, format));
  }
  expect_read(packed(packed(small_market, "xz"), "gzip"));
  const std::string twice =
      packed(small_market.substr(0, 50), "gzip") + packed(small_market.substr(50), "gzip");
  expect_read(twice);
}

TEST(Containers, CompanionsAreLeftOutAndSaid) {
  std::vector<std::string> notes;
  const Matrix matrix = parse_matrix(
      archived({{"a/a_b.mtx", smtx}, {"a/a.mtx", small_market}, {"a/a_coord.mtx", small_market}},
               "tar", "gzip"),
      "m", "", {}, [&](const std::string& line) { notes.push_back(line); });
  EXPECT_EQ(matrix.nnz(), 3);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0],
            "m: a/a_b.mtx, a/a_coord.mtx belong to a matrix beside them and are left out");
  expect_read(archived({{"a_b.mtx", small_market}}, "tar"));  // nobody's companion
}

TEST(Containers, SeveralMatricesAreListed) {
  const std::string three = archived(
      {{"a/a.mtx", small_market}, {"b.rua", rua}, {"c.mat", plain_mat(true)}, {"d.txt", "d"}},
      "zip");
  expect_told(three, "is an archive of 3 matrices; name one, as m:a/a.mtx: a/a.mtx, b.rua, c.mat");
  for (const char* const named : {"a/a.mtx", "a.mtx", "a", "b.rua", "b", "c.mat", "c", "c.mat:A"})
    expect_read(three, named);
  expect_told(three, "has no file e; it holds a/a.mtx, b.rua, c.mat", "e");
  expect_told(three, "has no parts", "a:x");
  expect_told(small_market, "has no parts; leave out :x", "x");
  expect_told(archived({{"a", "1"}, {"b", "2"}}, "zip"),
              "an archive without a matrix; it holds a, b");
}

TEST(Containers, DamageIsToldInOneLine) {
  std::string noise;
  for (int i = 0; i < 3000; ++i) noise += std::to_string(i * 2654435761u);
  for (const char* const packing : {"gzip", "bzip2", "xz", "zstd"}) {
    SCOPED_TRACE(packing);
    const std::string whole =
        packed("%%MatrixMarket matrix coordinate real general\n%" + noise + small_market.substr(45),
               packing);
    ASSERT_EQ(format_refusal(whole), "read");
    EXPECT_NE(format_refusal(whole.substr(0, whole.size() / 2)), "read");
    std::string damaged = whole;
    for (std::size_t i = whole.size() / 2; i < whole.size() / 2 + 16; ++i) damaged[i] = 'x';
    EXPECT_NE(format_refusal(damaged), "read");
  }
}

TEST(Containers, WhatUnpacksToFarTooMuchIsRefusedEarly) {
  constexpr std::size_t much = 40'000'000;
  ReadLimits limits;
  limits.memory_bytes = 150'000'000;
  for (const char* const packing : {"gzip", "xz"}) {
    SCOPED_TRACE(packing);
    EXPECT_NE(format_refusal(packed(std::string(much, '\0'), packing), "", limits)
                  .find("no reader knows"),
              std::string::npos);
    for (const char filler : {'\0', ' ', '\n'}) {
      const std::string reason =
          format_refusal(packed(small_market + std::string(much, filler), packing), "", limits);
      EXPECT_NE(reason.find("size line does not account for"), std::string::npos) << reason;
    }
  }
}

}  // namespace
}  // namespace alphasparse
