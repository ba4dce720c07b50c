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
    // Threads of these two have runs of entries, whatever the random designs are.
    const std::string of_runs[] = {resolve_design("csr-scalar"), resolve_design("sell-c-sigma")};
    const std::string design = seed < 2 ? of_runs[seed] : random_design(matrix, seed);
    const Design plain = without_compact(*parse_design(design));
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

using host::Checked, host::Stored;

/// The reason against column[i] = entry(words, i), i below 4, with this word twice and then a zero.
template <class Entry>
std::string reason_of_fields(std::uint32_t word, Entry entry) {
  const std::uint32_t words[3] = {word, word};
  const auto* const data = reinterpret_cast<const unsigned char*>(words);
  const host::LoadedArray array = {{data, data + sizeof words}, {}, {}};
  const Stored<std::uint32_t> bits("column_bits", array);
  const auto column =
      host::computed("column", 4, [&](Checked i) -> Checked { return entry(bits, i); });
  try {
    host::check_entries(column, 0, 9, false);
  } catch (const host::BadFile& error) {
    return error.what();
  }
  return "";
}

std::string reason_of_head(std::int64_t head, std::uint32_t word) {
  return reason_of_fields(word,
                          [&](const auto& bits, Checked i) { return packed_bits(bits, head, i); });
}

std::string reason_of_width(std::int64_t width, std::uint32_t word, std::int64_t shift = 0) {
  return reason_of_fields(
      word, [&](const auto& bits, Checked i) { return packed_fields(bits, width, i + shift); });
}

TEST(FormatFile, AFieldBehindItsWordsIsRefused) {
  const std::string behind = "column_bits has no entry ";
  // Four bits a field: the first has bits 56 to 59, or 88 to 91, the next those below.
  EXPECT_EQ(reason_of_head(28, 0x1234u << 12), "");
  EXPECT_EQ(reason_of_head(28, 0), "");
  EXPECT_EQ(reason_of_head(60, ~0u), "");
  EXPECT_EQ(reason_of_head(92, 0), "column[0]: " + behind + "3, only 3");
  EXPECT_EQ(reason_of_head(24, ~0u), "column[0] is 255, outside 0 to 9");
  // Bits before the first one are the last of 2^32.
  EXPECT_EQ(reason_of_head(16, 0), "column[2]: " + behind + "134217727, only 3");
  EXPECT_EQ(reason_of_head(-4, 0), "column[0]: " + behind + "134217727, only 3");

  EXPECT_EQ(reason_of_width(4, 0x4321), "");
  EXPECT_EQ(reason_of_width(8, 0x4321), "column[0] is 33, outside 0 to 9");
  EXPECT_EQ(reason_of_width(31, 0), "column[3]: " + behind + "3, only 3");
  EXPECT_EQ(reason_of_width(32, 0), "column[0]: a field of 32 bits");
  EXPECT_EQ(reason_of_width(4, 0, -1), "column[0]: " + behind + "134217727, only 3");
}

TEST(FormatFile, ANumberThatIsNoIntIsRefused) {
  const auto reason = [](auto entry) {
    return reason_of_fields(INT32_MAX,
                            [&](const auto& bits, Checked i) { return entry(bits(i % 2)); });
  };
  const std::string is_no_int = "column[0]: 2147483648 is no int";
  EXPECT_EQ(reason([](Checked most) { return most - most + 9; }), "");
  EXPECT_EQ(reason([](Checked most) { return most + 1 - most; }), is_no_int);
  EXPECT_EQ(reason([](Checked most) { return min(most + 1, 3); }), is_no_int);
  EXPECT_EQ(reason([](Checked most) { return most + 1 < 3 ? Checked(1) : Checked(2); }), is_no_int);
  EXPECT_EQ(reason([](Checked most) { return (most * most) % 9; }),
            "column[0]: 4611686014132420609 is no int");
  EXPECT_EQ(reason([](Checked most) { return (0 - most - 1) % 9; }),
            "column[0]: -2147483648 is no int");
  EXPECT_EQ(reason([](Checked most) { return (0 - most) / 9; }),
            "column[0]: a division of -2147483647 by 9");
  EXPECT_EQ(reason([](Checked most) { return most % (most - most); }),
            "column[0]: a division of 2147483647 by 0");
  EXPECT_EQ(reason([](Checked most) { return run_number(most, 0, 32); }),
            "column[0]: bit 32 of a word");
}

}  // namespace
}  // namespace alphasparse
