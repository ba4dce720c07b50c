// loader_rules: the file that is written with a kernel obeys all rules of the kernel's loader:
// ranges, and rules between arrays. Entries that break a rule are refused by its name.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include "generator/text/computed_checks.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/formats/format_file.h"
#include "runtime/formats/loader_facts.h"
#include "templates/host/format_reader.h"
#include "tests/support/battery.h"
#include "tests/support/combinations.h"
#include "tests/support/cpu_designs.h"
#include "tests/support/files.h"
#include "tests/support/goldens.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

/// The refusal of a file by the kernel's loader; empty: it takes the file.
std::string refusal(const Kernel& kernel, const std::filesystem::path& path) {
  const LoaderFacts facts(kernel, host::FormatReader(path.string()).header());
  try {
    facts.load(path.string(), true);
  } catch (const host::BadFile& error) {
    return error.what();
  }
  return "";
}

struct LoaderRules : ::testing::Test {
  TestFolder folder;
  std::set<std::string> names;  ///< of the rules that were met

  std::string refusal_of(const Kernel& kernel, const Matrix& matrix) {
    write_format_file(folder / "a.safetensors", kernel, matrix, fingerprints(matrix));
    const Rules rules = rules_to_check(kernel);
    for (const EntryRule& rule : rules.entries) names.insert(rule.name);
    for (const SpanRule& rule : rules.spans) names.insert(rule.name);
    for (const BitRule& rule : rules.bits) names.insert(rule.name);
    return refusal(kernel, folder / "a.safetensors");
  }
};

TEST_F(LoaderRules, HoldForEveryCombination) {
  const std::vector<Combination> all = all_combinations();
  int built = 0;
  for (const std::size_t index : covering_pairs(all)) {
    const Result<Kernel> kernel = combination_kernel(all[index], index);
    if (!kernel) continue;
    ++built;
    const Matrix& matrix = combination_matrix(all[index].start->matrix);
    ASSERT_EQ(refusal_of(*kernel, matrix), "") << kernel->design;
  }
  EXPECT_GT(built, 100);
  EXPECT_GT(names.size(), 10U);
}

TEST_F(LoaderRules, HoldForGoldenDesigns) {
  for (const auto& all : {goldens(), cpu_goldens()}) {
    for (const Golden& golden : all) {
      const Result<Kernel> kernel = kernel_of(golden);
      ASSERT_TRUE(kernel.ok()) << golden.file;
      EXPECT_EQ(refusal_of(*kernel, battery_matrix(golden.matrix)), "") << golden.file;
    }
  }
}

TEST_F(LoaderRules, HoldForRandomDesigns) {
  const std::vector<NamedMatrix> all = battery();
  const int seeds = std::getenv("ALPHASPARSE_LONG") ? 1000 : static_cast<int>(all.size());
  int built = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    const Matrix& matrix = all[seed % all.size()].matrix;
    for (const Target target : {Target::cuda, Target::cpu}) {
      const std::string line = random_design(matrix, seed, target);
      const Result<Kernel> kernel = Designer(matrix).build(line, Dtype::f64);
      if (!kernel) continue;
      ++built;
      EXPECT_EQ(refusal_of(*kernel, matrix), "") << line << " on " << all[seed % all.size()].name;
    }
  }
  EXPECT_GT(built, seeds);
}

/// A kernel with unchecked arrays: entry `at` of `array` becomes `entry`.
template <class T>
void spoil(Kernel& kernel, const std::string& array, std::size_t at, T entry) {
  const auto found = std::find_if(kernel.arrays.begin(), kernel.arrays.end(),
                                  [&](const Array& one) { return one.name == array; });
  ASSERT_NE(found, kernel.arrays.end()) << array;
  ASSERT_EQ(element_bytes(found->type), static_cast<int>(sizeof entry)) << array;
  ASSERT_LT(at, static_cast<std::size_t>(found->count));
  std::memcpy(found->bytes.data() + at * sizeof entry, &entry, sizeof entry);
}

/// 300 rows with empty ones, of which some need to be initialised.
Matrix rows_of_three() {
  std::vector<std::vector<std::pair<int, double>>> rows(300);
  for (int row = 0; row < 300; ++row) {
    if (row % 10 == 9) continue;
    for (int k = 0; k < 3; ++k) rows[row].emplace_back((row + 7 * k) % 310, 1 + k);
  }
  return from_rows(310, rows);
}

Kernel named_kernel(const Matrix& matrix, const std::string& name, Target target) {
  return *Designer(matrix).build(resolve_design(name, target), Dtype::f32);
}

TEST_F(LoaderRules, RowsBehindYAreRefused) {
  const Matrix matrix = rows_of_three();
  for (const std::int32_t row : {300, 1'000'000'000}) {
    Kernel kernel = named_kernel(matrix, "csr5", Target::cuda);
    const auto init = std::find_if(kernel.arrays.begin(), kernel.arrays.end(),
                                   [](const Array& one) { return one.name == "init_row"; });
    ASSERT_NE(init, kernel.arrays.end());
    spoil<std::int32_t>(kernel, "init_row", static_cast<std::size_t>(init->count - 1), row);
    EXPECT_EQ(refusal_of(kernel, matrix),
              fmt::format("init_row[{}] is {}, outside 0 to 299", init->count - 1, row));
  }
  const Kernel carried = named_kernel(matrix, "merge-csr", Target::cuda);
  const auto rows = std::find_if(carried.computed.begin(), carried.computed.end(),
                                 [](const ComputedArray& one) { return one.name == "carry_row"; });
  ASSERT_NE(rows, carried.computed.end());
  EXPECT_EQ(rows->range->most, 299);
}

TEST_F(LoaderRules, RowsThatBeginAtNoMultipleAreRefused) {
  const Matrix matrix = rows_of_three();
  Kernel kernel = *Designer(matrix).build(
      "compress | thread_cols lanes=2 | thread_pad multiple=4 | thread_total vector=4 | warp_total "
      "| global_store | launch threads=32",
      Dtype::f32);
  ASSERT_EQ(refusal_of(kernel, matrix), "");
  spoil<std::int32_t>(kernel, "row_first_entry", 2, 6);
  EXPECT_EQ(refusal_of(kernel, matrix), "row_first_entry % 4[2] is 2, outside 0 to 0");
}

TEST_F(LoaderRules, BitsOfADiagonalOutsideXAreRefused) {
  const Matrix matrix = rows_of_three();
  for (const Target target : {Target::cuda, Target::cpu}) {
    Kernel kernel = named_kernel(matrix, "band-dia", target);
    ASSERT_EQ(refusal_of(kernel, matrix), "");
    const auto bits = std::find_if(kernel.arrays.begin(), kernel.arrays.end(),
                                   [](const Array& one) { return one.name == "entry_bits"; });
    ASSERT_NE(bits, kernel.arrays.end());
    std::fill(bits->bytes.begin(), bits->bytes.end(), std::byte{0xff});
    bits->most = UINT32_MAX;
    EXPECT_TRUE(contains(refusal_of(kernel, matrix), "column of an entry["));
  }
}

TEST_F(LoaderRules, SegmentsBehindTheLastRowAreRefused) {
  const Matrix matrix = rows_of_three();
  for (const Target target : {Target::cuda, Target::cpu}) {
    Kernel kernel = named_kernel(matrix, "csr5", target);
    const auto words = std::find_if(kernel.arrays.begin(), kernel.arrays.end(),
                                    [](const Array& one) { return one.name == "thread_word"; });
    ASSERT_NE(words, kernel.arrays.end());
    spoil<std::uint32_t>(kernel, "thread_word", static_cast<std::size_t>(words->count - 1), ~0U);
    words->most = UINT32_MAX;
    EXPECT_TRUE(contains(refusal_of(kernel, matrix), "segment")) << refusal_of(kernel, matrix);
  }
}

TEST_F(LoaderRules, LengthsBehindTheEntriesAreRefused) {
  Matrix matrix = rows_of_three();
  Kernel kernel = *Designer(matrix).build(
      "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad length=own | interleave | "
      "thread_total | global_store | launch threads=64",
      Dtype::f32);
  const auto lengths =
      std::find_if(kernel.arrays.begin(), kernel.arrays.end(),
                   [](const Array& one) { return one.name.find("_length") != std::string::npos; });
  ASSERT_NE(lengths, kernel.arrays.end());
  EXPECT_EQ(lengths->most, 3);
}

/// Adds 1 to the first number of an expression; false: it has none.
bool spoil_number(Expression& expression) {
  if (expression.kind == Expression::Kind::number) {
    ++expression.number;
    return true;
  }
  return std::any_of(expression.parts.begin(), expression.parts.end(), spoil_number);
}

/// The constant, step, exception or width of a computed array is part of the kernel. The file of a
/// kernel that has another one is refused, for all sources of the array.
TEST_F(LoaderRules, FilesOfOtherConstantsAreRefused) {
  std::set<std::string> kinds;
  for (const char* const name :
       {"diagonal_32", "runs_of_empty_rows", "stencil_23", "wide_70x500", "power_law"}) {
    const Matrix& matrix = battery_matrix(name);
    for (const char* const columns : {"full", "narrow", "packed", "runs", "bytes", "deltas"}) {
      const Result<Kernel> built = Designer(matrix).build(
          fmt::format(
              "sort_rows | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | "
              "interleave | thread_total | global_store | compact columns={} exceptions=8 | "
              "launch threads=64",
              columns),
          Dtype::f32);
      if (!built) continue;
      ASSERT_EQ(refusal_of(*built, matrix), "");
      for (std::size_t i = 0; i < built->computed.size(); ++i) {
        Kernel other = *built;
        if (!spoil_number(other.computed[i].entry)) continue;
        EXPECT_TRUE(refusal(other, folder / "a.safetensors")
                        .starts_with("kernel and format differ: digest is "))
            << other.computed[i].name << ", " << other.computed[i].how;
        kinds.insert(other.computed[i].how.substr(0, other.computed[i].how.find(' ')));
      }
    }
  }
  EXPECT_GT(kinds.size(), 5U) << fmt::format("{}", fmt::join(kinds, ", "));
}

}  // namespace
}  // namespace alphasparse
