// format_file_ranges: entries of a format file that lie outside their ranges are refused, whether
// they are stored, coded or computed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <regex>

#include "base/result.h"
#include "operators/compact_passes.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "templates/host/computed_check.h"
#include "tests/runtime/formats/format_file_ground.h"
#include "tests/support/bad_columns.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"
#include "tests/support/random_design.h"
#include "tests/support/sample_kernel.h"

namespace alphasparse {
namespace {

TEST(FormatFile, EntriesOutsideTheirRangeAreRefused) {
  const TestFolder folder;
  const Matrix matrix = small();
  const auto reason = [&](auto spoil) {
    Kernel kernel = sample_kernel(matrix, Dtype::f32);
    spoil(kernel);
    write_format_file(folder / "a.safetensors", kernel, matrix, fingerprints(matrix));
    return reason_of(folder / "a.safetensors");
  };
  const auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_EQ(reason([](Kernel&) {}), "");
  EXPECT_TRUE(contains(reason([](Kernel& kernel) { kernel.arrays[1].most = 1; }),
                       "column[1] is 2, outside 0 to 1"));
  EXPECT_TRUE(contains(reason([](Kernel& kernel) { kernel.arrays[0].bytes[4] = std::byte{1}; }),
                       "row_first_nz[2] is below the entry before it"));
  EXPECT_TRUE(contains(reason([](Kernel& kernel) { kernel.arrays[2].value_source[0] = 3; }),
                       "value.source[0] is 3, outside -1 to 2"));
  EXPECT_TRUE(contains(reason([](Kernel& kernel) { kernel.launches[0].threads = 100; }),
                       "a launch of no possible size"));
}

/// Rows of 1 and 2 entries, padded, with a dictionary of two values and the pads' 0.
Kernel coded_kernel_with_pads(const Matrix& matrix) {
  return *Designer(matrix).build(
      "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
      "compact columns=full structure=full | launch threads=32",
      Dtype::f32);
}

TEST(FormatFile, ACodeThatNamesAPadIsRefused) {
  const TestFolder folder;
  std::vector<std::vector<std::pair<int, double>>> rows(100);
  for (int row = 0; row < 100; ++row) {
    for (int col = 0; col <= row % 2; ++col) rows[row].emplace_back(col, 1. + row % 2);
  }
  const Matrix matrix = from_rows(3, rows);
  Kernel kernel = coded_kernel_with_pads(matrix);
  const auto dictionary = std::find_if(kernel.arrays.begin(), kernel.arrays.end(),
                                       [](const Array& array) { return array.is_dictionary(); });
  ASSERT_NE(dictionary, kernel.arrays.end());
  ASSERT_EQ(dictionary->value_source, (std::vector<std::int32_t>{0, 1, -1}));
  const auto reason = [&] {
    write_format_file(folder / "a.safetensors", kernel, matrix, fingerprints(matrix));
    return reason_of(folder / "a.safetensors");
  };
  EXPECT_EQ(reason(), "");
  dictionary->value_code[7] = 2;
  const std::string refused = reason();
  EXPECT_NE(refused.find("value_dictionary.code[7] is 2, which is a pad"), std::string::npos)
      << refused;
}

TEST(FormatFile, CodedColumnsOutsideXAreRefused) {
  const TestFolder folder;
  const Matrix matrix = matrix_of_bad_columns();
  for (const BadColumn& bad : bad_columns()) {
    write_format_file(folder / "a.safetensors", bad.kernel, matrix, fingerprints(matrix));
    const std::string reason = reason_of(folder / "a.safetensors");
    EXPECT_TRUE(std::regex_search(reason, std::regex(bad.reason))) << bad.what << ": " << reason;
  }
}

TEST(FormatFile, WhatRandomDesignsComputeIsInRange) {
  const TestFolder folder;
  const std::vector<NamedMatrix> all = battery();
  int computed = 0, steps = 0;
  const int seeds = std::getenv("ALPHASPARSE_LONG") ? 120 : 24;
  for (int seed = 0; seed < seeds; ++seed) {
    const Matrix& matrix = all[seed % all.size()].matrix;
    const Design plain = without_compact(*parse_design(random_design(matrix, seed)));
    for (const char* const columns : {"deltas", "packed", "runs"}) {
      const std::string passes = fmt::format("compact columns={}", columns);
      const std::string line =
          print_design(with_compact(plain, parse_design(passes)->steps.front()));
      const auto kernel = Designer(matrix).build(line, Dtype::f64);
      if (!kernel) continue;  // not every design can have steps
      write_format_file(folder / "a.safetensors", *kernel, matrix, fingerprints(matrix));
      EXPECT_EQ(reason_of(folder / "a.safetensors"), "") << line;
      computed += !kernel->computed.empty();
      steps += !kernel->steps.empty();
    }
  }
  EXPECT_GT(computed, seeds);
  EXPECT_GT(steps, 1);
}

/// The refusal of column[i] = `entry`, i below 4, with this word twice and then a zero.
std::string reason_of_fields(const std::string& entry, std::uint32_t word) {
  const host::ArrayFacts bits = {"column_bits", "U32", 3, 0, UINT32_MAX, false};
  const host::ComputedFacts column = {"column", entry.c_str(), 4, 0, 9, false};
  host::FormatFacts facts = {};
  facts.arrays = &bits;
  facts.array_count = 1;
  facts.computed = &column;
  facts.computed_count = 1;
  const std::uint32_t words[3] = {word, word};
  const auto* const data = reinterpret_cast<const unsigned char*>(words);
  try {
    host::check_computed(facts, host::ComputedArrays(facts, {data}));
  } catch (const host::BadFile& error) {
    return error.what();
  }
  return "";
}

TEST(FormatFile, AFieldBehindItsWordsIsRefused) {
  const std::string behind = "column_bits has no entry ";
  // Four bits a field: the first has bits 56 to 59, or 88 to 91, the next those below.
  EXPECT_EQ(reason_of_fields("packed_bits(column_bits_, 28, i)", 0x1234u << 12), "");
  EXPECT_EQ(reason_of_fields("packed_bits(column_bits_, 28, i)", 0), "");
  EXPECT_EQ(reason_of_fields("packed_bits(column_bits_, 60, i)", ~0u), "");
  EXPECT_EQ(reason_of_fields("packed_bits(column_bits_, 92, i)", 0),
            "column[0]: " + behind + "3, only 3");
  EXPECT_EQ(reason_of_fields("packed_bits(column_bits_, 24, i)", ~0u),
            "column[0] is 255, outside 0 to 9");
  // Bits before the first one are the last of 2^32.
  EXPECT_EQ(reason_of_fields("packed_bits(column_bits_, 16, i)", 0),
            "column[2]: " + behind + "134217727, only 3");
  EXPECT_EQ(reason_of_fields("packed_bits(column_bits_, -4, i)", 0),
            "column[0]: " + behind + "134217727, only 3");

  EXPECT_EQ(reason_of_fields("packed_fields(column_bits_, 4, i)", 0x4321), "");
  EXPECT_EQ(reason_of_fields("packed_fields(column_bits_, 8, i)", 0x4321),
            "column[0] is 33, outside 0 to 9");
  EXPECT_EQ(reason_of_fields("packed_fields(column_bits_, 31, i)", 0),
            "column[3]: " + behind + "3, only 3");
  EXPECT_EQ(reason_of_fields("packed_fields(column_bits_, 32, i)", 0),
            "column[0]: a field of 32 bits");
  EXPECT_EQ(reason_of_fields("packed_fields(column_bits_, 4, i - 1)", 0),
            "column[0]: " + behind + "134217727, only 3");
}

}  // namespace
}  // namespace alphasparse
