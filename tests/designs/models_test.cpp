// ctest label: emulator
// models_emulated: arrays that are fitted or coded, emitted, and read back by the kernel of an
// emulated GPU, entry by entry.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "generator/arrays/format_struct.h"
#include "generator/text/fragment_text.h"
#include "generator/text/kernel_text.h"
#include "runtime/emulated/device.h"
#include "tests/support/random_entries.h"

namespace alphasparse {
namespace {

/// A kernel that writes every entry of its arrays to y, one array behind the other.
struct Reader {
  explicit Reader(const CompactFacts& passes) : format(Dtype::f64) { format.compact(passes); }

  void add(const Integers& entries) {
    if (entries.empty()) return;
    const std::string name = fmt::format("a{}", expected.size());
    format.add(name, entries, "entries");
    statements += code("  if (i < {}) $out[{} + i] = {};\n", entries.size(), expected.size(),
                       format.read(name, "i"));
    longest = std::max(longest, entries.size());
    expected.insert(expected.end(), entries.begin(), entries.end());
  }

  Kernel kernel() {
    format.add_values(values, {0});
    Kernel kernel;
    kernel.dtype = Dtype::f64;
    kernel.rows = static_cast<std::int32_t>(expected.size());
    kernel.cols = 1;
    kernel.launches = {{"spmv", static_cast<std::int64_t>(longest + 127) / 128, 128}};
    std::vector<std::string_view> fragments{"prelude"};
    for (const std::string_view name : format.fragments()) fragments.push_back(name);
    kernel.source =
        fragment_text(fragments, Dtype::f64) + format.text("Format") +
        written({.name = "spmv",
                 .description = "What it reads.",
                 .threads = 128,
                 .body = Code("  const int i = blockIdx.x * 128 + threadIdx.x;\n") + statements,
                 .format = code("const Format f{};", format.initialiser())},
                format.parameters(), format.operands())
            .text;
    kernel.computed = format.computed_arrays();
    kernel.arrays = format.take_arrays();
    return kernel;
  }

  const std::vector<double> values = {1.0};
  FormatStruct format;
  Code statements;
  std::size_t longest = 0;
  Integers expected;
};

/// The integers that the kernel reads; empty where it fails.
Integers read_back(const Kernel& kernel) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  auto loaded = device->load(kernel);
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : loaded.reason());
  if (!loaded) return {};
  SpmvCase input;
  input.name = "entries";
  input.x = std::vector<std::byte>(sizeof(double));
  input.y = std::vector<std::byte>(kernel.rows * sizeof(double));
  const auto outcomes = (*loaded)->run(std::span(&input, 1));
  EXPECT_TRUE(outcomes.ok()) << (outcomes.ok() ? "" : outcomes.reason());
  if (!outcomes) return {};
  std::vector<double> y(kernel.rows);
  std::memcpy(y.data(), outcomes->front().y.data(), y.size() * sizeof(double));
  return {y.begin(), y.end()};
}

struct Passes {
  const char* name;
  CompactFacts facts;
};

class EmittedArrays : public testing::TestWithParam<Passes> {};

TEST_P(EmittedArrays, AreReadBack) {
  Reader reader(GetParam().facts);
  for (std::uint64_t seed = 0; seed < 140; ++seed) reader.add(random_entries(seed));
  const Kernel kernel = reader.kernel();
  EXPECT_EQ(read_back(kernel), reader.expected);
  int computed = 0;
  for (const ComputedArray& array : kernel.computed) computed += array.how != same_entries;
  EXPECT_GT(computed, 30) << "the passes did nothing";
}

CompactFacts passes(CodingChoice choice, int exceptions) {
  CompactFacts facts;
  facts.structure = choice;
  facts.models = exceptions >= 0;
  facts.exceptions = std::max(0, exceptions);
  return facts;
}

INSTANTIATE_TEST_SUITE_P(All, EmittedArrays,
                         testing::Values(Passes{"models", passes(CodingChoice::full, 4)},
                                         Passes{"models_exact", passes(CodingChoice::full, 0)},
                                         Passes{"fewest", passes(CodingChoice::fewest, 4)},
                                         Passes{"packed", passes(CodingChoice::packed, -1)},
                                         Passes{"narrow", passes(CodingChoice::narrow, -1)},
                                         Passes{"runs", passes(CodingChoice::runs, -1)}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace alphasparse
