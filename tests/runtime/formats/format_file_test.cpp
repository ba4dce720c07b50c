// format_file: written files come back whole, another language reads it, and nothing that is
// damaged is taken.
#include "runtime/formats/format_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/result.h"
#include "operators/compact_passes.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "templates/host/digest.h"
#include "tests/runtime/formats/format_file_fixture.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"
#include "tests/support/random_design.h"
#include "tests/support/sample_kernel.h"

namespace alphasparse {
namespace {

void expect_same(const Matrix& a, const Matrix& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_EQ(a.row_first, b.row_first);
  EXPECT_EQ(a.col, b.col);
  EXPECT_EQ(a.value, b.value);
}

TEST(FormatFile, ComesBackForEveryMatrixOfTheBattery) {
  const TestFolder folder;
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    for (const auto& [name, matrix] : battery()) {
      SCOPED_TRACE(name);
      const Kernel kernel = sample_kernel(matrix, dtype);
      const Fingerprints prints = fingerprints(matrix);
      write_format_file(folder / "a.safetensors", kernel, matrix, prints, "1.2.3");
      const FormatFile file = read_format_file(folder / "a.safetensors");
      EXPECT_EQ(file.design, kernel.design);
      EXPECT_EQ(file.dtype, dtype);
      EXPECT_EQ(file.stored, matrix.nnz());
      EXPECT_EQ(file.fingerprints.pattern, prints.pattern);
      EXPECT_EQ(file.fingerprints.values, prints.values);
      EXPECT_EQ(file.generator_version, "1.2.3");
      ASSERT_EQ(file.launches.size(), 1u);
      EXPECT_EQ(file.launches[0].kernel, "spmv");
      EXPECT_EQ(file.launches[0].blocks, kernel.launches[0].blocks);
      ASSERT_EQ(file.arrays.size(), kernel.arrays.size());
      for (std::size_t i = 0; i < file.arrays.size(); ++i) {
        EXPECT_EQ(file.arrays[i].name, kernel.arrays[i].name);
        EXPECT_EQ(file.arrays[i].type, kernel.arrays[i].type);
        EXPECT_EQ(file.arrays[i].doc, kernel.arrays[i].doc);
        EXPECT_EQ(file.arrays[i].bytes, kernel.arrays[i].bytes);
        EXPECT_EQ(file.arrays[i].value_source, kernel.arrays[i].value_source);
      }
      expect_same(matrix_of(file), matrix);
    }
  }
}

TEST(FormatFile, LiesAsDocumented) {
  const TestFolder folder;
  write_sample(folder / "a.safetensors", small(), Dtype::f32);
  const std::string bytes = contents(folder / "a.safetensors");
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  EXPECT_EQ(header % 8, 0u);
  EXPECT_EQ(bytes[8], '{');
  // Four-byte tensors first: column, value, value.source, canonical_row_first, canonical_col.
  const std::int32_t column[] = {0, 2, 2};
  const float value[] = {1, 2, 3};
  const std::int32_t host_only[] = {0, 1, 2, 0, 2, 3, 0, 2, 2};
  const std::uint16_t row_first_nz[] = {0, 2, 3};
  std::string data;
  data.append(reinterpret_cast<const char*>(column), sizeof column);
  data.append(reinterpret_cast<const char*>(value), sizeof value);
  data.append(reinterpret_cast<const char*>(host_only), sizeof host_only);
  data.append(reinterpret_cast<const char*>(row_first_nz), sizeof row_first_nz);
  EXPECT_EQ(bytes.substr(8 + header), data);
}

TEST(FormatFile, ItsDigestIsBlake2b) {
  const auto digits = [](const std::string& text, std::size_t piece) {
    host::Digest digest;
    for (std::size_t at = 0; at < text.size(); at += piece) digest.add(text.substr(at, piece));
    return digest.digits();
  };
  EXPECT_EQ(digits("", 1), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  EXPECT_EQ(digits("abc", 3), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  const std::string blocks(256, 'a');  // which end with a block
  EXPECT_EQ(digits(blocks, 256),
            "eae4d3a7627549b383179dc18049964f91a6fed14c9f3fb26705eda3eeda5558");
  for (const std::size_t piece : {1, 127, 128, 129})
    EXPECT_EQ(digits(blocks, piece), digits(blocks, 256));
}

/// The text that decode_format.py prints for the matrix.
std::string decoded_text(const Matrix& matrix) {
  std::string text = fmt::format("{} {} {}\n", matrix.rows, matrix.cols, matrix.nnz());
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      text += fmt::format("{} {} {:.17g}\n", row, matrix.col[nz], matrix.value[nz]);
    }
  }
  return text;
}

constexpr std::string_view no_decoder = "decode_format: no decoder for this design; sources only\n";

std::string without(std::string text, std::string_view line) {
  for (std::size_t at; (at = text.find(line)) != std::string::npos;) text.erase(at, line.size());
  return text;
}

CommandOutcome decode(const std::vector<std::filesystem::path>& paths) {
  std::string command = "python3 " ALPHASPARSE_SOURCE_DIR "/tests/decode_format.py";
  for (const std::filesystem::path& path : paths) command += " " + path.string();
  return run_command(command);
}

TEST(FormatFile, PythonDecodesEveryNamedDesign) {
  if (run_command("python3 -c 'import json'").status != 0) GTEST_SKIP() << "no python3 on PATH";
  const TestFolder folder;
  for (const auto& [name, matrix] : battery()) {
    Designer designer(matrix);
    std::vector<std::filesystem::path> paths;
    std::string expected;
    for (const NamedDesign& design : named_designs(Target::gpu)) {
      SCOPED_TRACE(fmt::format("{} {}", name, design.name));
      const Result<Kernel> kernel = designer.build(std::string(design.line), Dtype::f64);
      if (!kernel) {  // too many pads
        const bool one_band = name == "one_row" && design.name == "bsell";
        EXPECT_TRUE(one_band || name == "power_law") << kernel.reason();
        continue;
      }
      paths.push_back(folder / fmt::format("{}.safetensors", design.name));
      write_format_file(paths.back(), *kernel, matrix, fingerprints(matrix));
      expected += decoded_text(matrix);
      expect_same(matrix_of(read_format_file(paths.back())), matrix);
    }
    const CommandOutcome decoded = decode(paths);
    EXPECT_EQ(decoded.status, 0) << name;
    EXPECT_EQ(without(decoded.output, no_decoder), expected) << name;
  }
}

TEST(FormatFile, PythonDecodesLayoutsBesideThem) {
  if (run_command("python3 -c 'import json'").status != 0) GTEST_SKIP() << "no python3 on PATH";
  const char* const designs[] = {
      "reorder by=columns | compress | thread_rows rows=1 | thread_pad length=own multiple=4 | "
      "interleave run=4 | thread_total vector=4 | global_store | launch threads=64",
      "sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad length=own "
      "multiple=2 | warp_pad | interleave run=2 | thread_total vector=2 | global_store | launch "
      "threads=64",
      "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | thread_total "
      "sums=2 | global_store | launch threads=64 cache=streamed",
      "compress | thread_cols lanes=8 | thread_pad multiple=4 | thread_total vector=4 | warp_total "
      "| global_store | launch threads=64",
      "compress | thread_cols lanes=4 | thread_total | warp_total | global_store | compact | "
      "launch "
      "threads=64",
      "sort_rows_in_bands rows=64 | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad "
      "| interleave | thread_total | global_store | compact | launch threads=64",
      "compress | warp_nnz nnz=128 | thread_nnz nnz=4 | interleave | thread_bitmap | warp_segment "
      "| global_atomic | compact | launch threads=64",
      "compress | warp_nnz nnz=256 | thread_nnz nnz=8 | interleave run=4 | thread_bitmap vector=4 "
      "| warp_segment | global_atomic | launch threads=64",
      "sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | warp_diagonals | warp_pad | "
      "interleave | thread_total | global_store | compact | launch threads=64",
      "reorder by=columns x=gathered | compress | thread_nnz nnz=1 | thread_total | global_atomic "
      "| compact | launch threads=64",
      "compress | thread_nnz nnz=1 | thread_total | global_atomic | compact columns=deltas | "
      "launch "
      "threads=64",
      "sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad length=own | "
      "interleave | thread_total | global_store | compact columns=deltas | launch threads=64",
      "compress | thread_rows rows=1 | thread_total | global_store | compact columns=narrow "
      "structure=narrow exceptions=16 | launch threads=64",
      "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
      "compact columns=runs structure=packed | launch threads=64"};
  const TestFolder folder;
  std::vector<std::filesystem::path> paths;
  std::string expected;
  for (const char* const name : {"one_row", "wide_70x500", "runs_of_empty_rows", "stencil_23"}) {
    const Matrix matrix = battery_matrix(name);
    Designer designer(matrix);
    for (const char* const design : designs) {
      const Result<Kernel> kernel = designer.build(design, Dtype::f32);
      ASSERT_TRUE(kernel.ok()) << kernel.reason();
      paths.push_back(folder / fmt::format("{}.safetensors", paths.size()));
      write_format_file(paths.back(), *kernel, matrix, fingerprints(matrix));
      expected += decoded_text(matrix);
    }
  }
  const CommandOutcome decoded = decode(paths);
  EXPECT_EQ(decoded.status, 0);
  EXPECT_EQ(decoded.output, expected);
}

/// A matrix with 0.1 in it, or with floats alone.
Matrix halves(bool with_tenth) {
  std::vector<std::vector<std::pair<int, double>>> rows(70);
  for (int row = 0; row < 70; ++row) rows[row] = {{row, row + 0.5}, {row + 3 + row % 3, -row - 1.}};
  if (with_tenth) rows[7][0].second = 0.1;
  return from_rows(80, rows);
}

TEST(FormatFile, FloatsStandForDoubles) {
  const TestFolder folder;
  std::vector<std::filesystem::path> paths;
  std::string expected;
  for (const bool with_tenth : {false, true}) {
    const Matrix matrix = halves(with_tenth);
    for (const char* const choice : {"single", "rounded", "coded"}) {
      SCOPED_TRACE(fmt::format("{} {}", with_tenth, choice));
      const std::string design = fmt::format(
          "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
          "compact columns=full values={} | launch threads=64",
          choice);
      const Kernel kernel = *Designer(matrix).build(design, Dtype::f64);
      paths.push_back(folder / fmt::format("{}.safetensors", paths.size()));
      write_format_file(paths.back(), kernel, matrix, fingerprints(matrix));
      const FormatFile file = read_format_file(paths.back());
      const bool rounded = std::string(choice) == "rounded";
      EXPECT_EQ(file.value_error, kernel.value_error);
      EXPECT_EQ(file.value_error > 0, rounded && with_tenth);
      const auto value = std::find_if(file.arrays.begin(), file.arrays.end(),
                                      [](const Array& array) { return array.is_value(); });
      EXPECT_EQ(value->rounded, rounded);
      EXPECT_EQ(value->type, rounded || !with_tenth ? ElementType::f32 : ElementType::f64);
      Matrix stored = matrix;
      if (rounded) {
        for (double& entry : stored.value) entry = static_cast<float>(entry);
      }
      expect_same(matrix_of(file), stored);
      expected += decoded_text(stored);
    }
  }
  if (run_command("python3 -c 'import json'").status != 0) GTEST_SKIP() << "no python3 on PATH";
  EXPECT_EQ(decode(paths).output, expected);
}

TEST(FormatFile, PythonSeesAColumnThatIsAnothers) {
  if (run_command("python3 -c 'import json'").status != 0) GTEST_SKIP() << "no python3 on PATH";
  const TestFolder folder;
  const Matrix matrix = battery_matrix("stencil_23");
  Designer designer(matrix);
  int known = 0;
  for (const NamedDesign& design : named_designs(Target::gpu)) {
    Kernel kernel = *designer.build(std::string(design.line), Dtype::f32);
    write_format_file(folder / "a.safetensors", kernel, matrix, fingerprints(matrix));
    if (decode({folder / "a.safetensors"}).output.find(no_decoder) != std::string::npos) continue;
    ++known;
    for (Array& array : kernel.arrays) {
      if (array.name == "column" || array.name == "diagonal_column") array.bytes[0] ^= std::byte{1};
    }
    write_format_file(folder / "a.safetensors", kernel, matrix, fingerprints(matrix));
    EXPECT_EQ(decode({folder / "a.safetensors"}).output,
              "decode_format: the kernel's arrays and the host-only tensors differ\n")
        << design.name;
  }
  EXPECT_GE(known, 7) << "decode_format.py knows the arrays of too few designs";
}

TEST(FormatFile, OpensInTheSafetensorsLibrary) {
  const char* const named = std::getenv("ALPHASPARSE_SAFETENSORS_PYTHON");
  const std::string python = named ? named : "python3";
  if (run_command(python + " -c 'import safetensors.numpy'").status != 0) {
    GTEST_SKIP() << python << " has no safetensors";
  }
  const TestFolder folder;
  write_sample(folder / "a.safetensors", small(), Dtype::f32);
  const CommandOutcome read =
      run_command(python +
                  " -c 'import sys, safetensors.numpy as s; t = s.load_file(sys.argv[1]); "
                  "print(t[\"value\"].tolist(), t[\"row_first_nz\"].tolist())' " +
                  (folder / "a.safetensors").string());
  EXPECT_EQ(read.output, "[1.0, 2.0, 3.0] [0, 2, 3]\n");
}

TEST(FormatFile, EveryTruncationAndExtensionIsRefused) {
  const TestFolder folder;
  write_sample(folder / "a.safetensors", small(), Dtype::f32);
  const std::string whole = contents(folder / "a.safetensors");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    set_contents(folder / "b.safetensors", whole.substr(0, length));
    EXPECT_NE(reason_of(folder / "b.safetensors"), "") << length;
  }
  set_contents(folder / "b.safetensors", whole + '\0');
  EXPECT_NE(reason_of(folder / "b.safetensors"), "");
}

TEST(FormatFile, EveryFlippedByteIsRefused) {
  const TestFolder folder;
  write_sample(folder / "a.safetensors", small(), Dtype::f64);
  const std::string whole = contents(folder / "a.safetensors");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] ^= static_cast<char>(1 << at % 8);
    set_contents(folder / "b.safetensors", damaged);
    EXPECT_NE(reason_of(folder / "b.safetensors"), "") << "byte " << at;
  }
}

void expect_one_triangle_decoded(const Matrix& matrix) {
  const TestFolder folder;
  std::string expected;
  std::vector<std::filesystem::path> paths;
  for (const char* const rest :
       {"compress | thread_rows rows=1 | thread_pad | interleave | thread_total",
        "sort_rows | compress | thread_cols lanes=4 | thread_total | warp_total",
        "reorder by=rcm | compress | thread_nnz nnz=1 | thread_total",
        "compress | block_rows nnz=64 | thread_nnz nnz=1 | thread_total | shared_offset"}) {
    const std::string design =
        fmt::format("symmetric_half | {} | global_atomic | launch threads=64", rest);
    const Result<Kernel> kernel = Designer(matrix).build(design, Dtype::f64);
    ASSERT_TRUE(kernel.ok()) << kernel.reason();
    paths.push_back(folder / fmt::format("{}.safetensors", paths.size()));
    write_format_file(paths.back(), *kernel, matrix, fingerprints(matrix));
    const FormatFile file = read_format_file(paths.back());
    EXPECT_EQ(file.mirror, find_mirror(matrix));
    expect_same(matrix_of(file), matrix);
    expected += decoded_text(matrix);
  }
  if (run_command("python3 -c 'import json'").status != 0) GTEST_SKIP() << "no python3 on PATH";
  EXPECT_EQ(decode(paths).output, expected);
}

TEST(FormatFile, OneTriangleIsDecodedToTheWholeMatrix) {
  expect_one_triangle_decoded(battery_matrix("symmetric_97"));
  expect_one_triangle_decoded(skew_of(battery_matrix("symmetric_97")));
}

TEST(FormatFile, AValueThatIsLeftOutIsSeen) {
  const TestFolder folder;
  const Matrix matrix = small();
  Kernel kernel = sample_kernel(matrix, Dtype::f32);
  kernel.arrays[2].value_source[1] = -1;
  write_format_file(folder / "a.safetensors", kernel, matrix, fingerprints(matrix));
  EXPECT_THROW(matrix_of(read_format_file(folder / "a.safetensors")), host::BadFile);
}

TEST(FormatFile, ColumnsThatDoNotAscendAreSeen) {
  const TestFolder folder;
  const Matrix matrix = small();
  Matrix swapped = matrix;
  std::swap(swapped.col[0], swapped.col[1]);
  write_format_file(folder / "a.safetensors", sample_kernel(matrix, Dtype::f32), swapped,
                    fingerprints(matrix));
  try {
    matrix_of(read_format_file(folder / "a.safetensors"));
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the format's matrix is not canonical: columns of row 0 do not ascend");
  }
}

TEST(FormatFile, WhatIsNoFormatFileIsNamed) {
  const TestFolder folder;
  EXPECT_EQ(reason_of(folder / "a"), "No such file or directory");
  EXPECT_NE(reason_of(folder.path()), "");
  set_contents(folder / "a", "%%MatrixMarket matrix coordinate real general\n1 1 0\n");
  EXPECT_NE(reason_of(folder / "a").find("a header of "), std::string::npos);
}

TEST(FormatFile, AFailedWriteLeavesTheOldFileAndNothingElse) {
  const TestFolder folder;
  write_sample(folder / "a.safetensors", small(), Dtype::f32);
  const std::string before = contents(folder / "a.safetensors");
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit limit;
  ::getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit tight = {1000, limit.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &tight);
  EXPECT_THROW(write_sample(folder / "a.safetensors", small(), Dtype::f64), Error);
  ::setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_EQ(contents(folder / "a.safetensors"), before);
  const std::filesystem::directory_iterator files(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(FormatFile, AFolderThatIsMissingIsNamed) {
  const TestFolder folder;
  try {
    write_sample(folder / "missing/a.safetensors", small(), Dtype::f32);
    FAIL() << "written";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "cannot write " + (folder / "missing/a.safetensors").string() +
                                ": No such file or directory; make the folder first");
  }
}

}  // namespace
}  // namespace alphasparse
