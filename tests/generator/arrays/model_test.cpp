// model: which arrays are arithmetic progressions, which are so but for their end, and which only
// look like it.
#include "generator/arrays/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <functional>

#include "tests/support/random_entries.h"

namespace alphasparse {
namespace {

struct ModelCase {
  Integers entries;
  const char* text;  ///< of the model over "i"; empty: there is none
};

const std::vector<ModelCase> cases = {
    // lengths 0, 1, 2
    {{}, "0"},
    {{0}, "0"},
    {{7}, "7"},
    {{-1}, "-1"},
    {{0, 1}, "i"},
    {{4, 4}, "4"},
    {{9, 2}, "-7 * i + 9"},
    {{-1, 1}, "2 * i - 1"},
    // constants, and near misses by one at either end
    {{5, 5, 5, 5}, "5"},
    {{4, 5, 5, 5}, "min(i + 4, 5)"},
    {{6, 5, 5, 5}, ""},
    {{5, 5, 5, 6}, ""},
    {{5, 5, 5, 4}, ""},
    // the identity
    {{0, 1, 2, 3}, "i"},
    {{1, 1, 2, 3}, ""},
    {{-1, 1, 2, 3}, ""},
    {{0, 1, 2, 4}, ""},
    {{0, 1, 2, 2}, "min(i, 2)"},
    // progressions with a short last step, and with one too long
    {{0, 128, 256, 300}, "min(128 * i, 300)"},
    {{0, 128, 256, 384}, "128 * i"},
    {{0, 128, 256, 385}, ""},
    {{0, 128, 256, 257}, "min(128 * i, 257)"},
    {{0, 128, 256, 256}, "min(128 * i, 256)"},
    {{0, 128, 256, 255}, ""},
    {{0, 128, 255, 300}, ""},
    {{3, 35, 67, 80, 80}, "min(32 * i + 3, 80)"},
    {{-3, 2, 7, 8}, "min(5 * i - 3, 8)"},
    // only a rising progression has a short end
    {{9, 6, 3, 2}, ""},
    {{9, 6, 3, 0}, "-3 * i + 9"},
    // at the edge of 32 bits
    {{INT_MAX}, "2147483647"},
    {{0, INT_MAX}, "2147483647 * i"},
    {{0, 1 << 30, INT_MAX}, ""},  // 2 * 2^30 overflows before min() could cut it
    {{1, 1 << 30, INT_MAX}, "1073741823 * i + 1"},
    {{0, (1 << 30) - 1, INT_MAX - 1}, "1073741823 * i"},
    {{-INT_MAX, INT_MAX}, ""},           // the step itself is no int
    {{INT_MAX, 0, -INT_MAX}, ""},        // nor is twice this one, though every entry is
    {{-2, 1073741822, 2147483646}, ""},  // 2^31 - 2, but by way of 2^31
};

TEST(Model, FitsExactlyTheArraysThatItGivesBack) {
  for (const ModelCase& entry : cases) {
    SCOPED_TRACE(testing::PrintToString(entry.entries));
    const std::optional<Fit> fit = fit_linear(entry.entries);
    EXPECT_EQ(fit ? write_code(fit->entry).text() : "", entry.text);
  }
}

/// n entries of a function of the index.
Integers entries_of(int n, const std::function<int(int)>& entry) {
  Integers entries;
  for (int i = 0; i < n; ++i) entries.push_back(entry(i));
  return entries;
}

std::string fitted(const Integers& entries, int exceptions = 4) {
  const std::optional<Fit> fit = fit_model(entries, exceptions);
  return fit ? fit->how + ": " + write_code(fit->entry).text() : "";
}

TEST(Model, KindsAndTheirTexts) {
  const auto plain = [](int n, const std::function<int(int)>& entry) {
    return fitted(entries_of(n, entry));
  };
  EXPECT_EQ(plain(40, [](int i) { return 3 * i + 1; }), "linear: 3 * i + 1");
  EXPECT_EQ(plain(40, [](int i) { return i / 4 * 10 + 2; }), "periodic increase: 10 * (i / 4) + 2");
  EXPECT_EQ(plain(40, [](int i) { return i % 5 * 2 + 7; }), "periodic linear: 2 * (i % 5) + 7");
  EXPECT_EQ(plain(40, [](int i) { return i / 8 * 64 + i % 8 - 1; }),
            "periodic linear with an increase: 64 * (i / 8) + i % 8 - 1");
  EXPECT_EQ(plain(40, [](int i) { return (i + 3) / 4; }), "periodic increase: (i + 3) / 4");
  EXPECT_EQ(plain(40, [](int i) { return i < 12 ? 7 : 3; }), "step: i < 12 ? 7 : 3");
  EXPECT_EQ(plain(60, [](int i) { return i < 20 ? i : 4 * i - 60; }),
            "piecewise linear: i < 21 ? i : 4 * i - 60")
      << "20 lies on both lines";
  EXPECT_EQ(plain(60, [](int i) { return i < 20   ? 1
                                         : i < 41 ? 5
                                                  : 2; }),
            "step: i < 20 ? 1 : i < 41 ? 5 : 2");
  EXPECT_EQ(plain(40, [](int i) { return std::min(i / 4 * 10, 73); }),
            "periodic increase with a short end: min(10 * (i / 4), 73)");
}

TEST(Model, ExceptionsAreConditionsUpToTheirNumber) {
  Integers entries = entries_of(100, [](int i) { return 3 * i; });
  entries[0] = 5;
  EXPECT_EQ(fitted(entries, 1), "linear, 1 exception: i == 0 ? 5 : 3 * i");
  EXPECT_EQ(fitted(entries, 0), "");
  entries[99] = 296;
  EXPECT_EQ(fitted(entries, 2),
            "linear with a short end, 1 exception: i == 0 ? 5 : min(3 * i, 296)");
  entries[99] = 298;
  EXPECT_EQ(fitted(entries, 2), "linear, 2 exceptions: i == 0 ? 5 : i == 99 ? 298 : 3 * i");
  EXPECT_EQ(fitted(entries, 1), "") << "one exception too many";
  for (const int at : {20, 40, 60}) entries[at] = -1;
  EXPECT_EQ(fitted(entries, 4), "") << "one exception too many";
  EXPECT_NE(fitted(entries, 5), "");
}

TEST(Model, NearMissesAtEitherEndAreExceptions) {
  const std::function<int(int)> kinds[] = {
      [](int i) { return 7 + 0 * i; }, [](int i) { return 5 * i - 2; }, [](int i) { return i / 6; },
      [](int i) { return i % 6; }, [](int i) { return i < 30 ? 2 : 9; }};
  for (const auto& kind : kinds) {
    for (const std::size_t at : {0, 1, 98, 99}) {
      for (const int off : {-1, 1}) {
        Integers entries = entries_of(100, kind);
        entries[at] += off;
        const std::optional<Fit> fit = fit_model(entries, 2);
        ASSERT_TRUE(fit) << at << " " << off;
        for (int i = 0; i < 100; ++i) ASSERT_EQ(value(fit->entry, i), entries[i]) << fit->how;
      }
    }
  }
}

TEST(Model, AWrapAroundIsNoLine) {
  // In arithmetic of 32 bits this would come round again.
  Integers entries;
  std::uint32_t sum = 0;
  for (int i = 0; i < 100; ++i, sum += 100'000'000) {
    entries.push_back(static_cast<std::int32_t>(sum));
  }
  const std::optional<Fit> fit = fit_model(entries, 16);
  if (fit) {
    for (int i = 0; i < 100; ++i) EXPECT_EQ(value(fit->entry, i), entries[i]);
  }
  EXPECT_FALSE(fit_linear(entries));
  EXPECT_EQ(value(constant(65536) * the_index(), 32768), std::nullopt);
  EXPECT_EQ(value(the_index() + constant(-2), 0), -2);
  EXPECT_EQ(value((the_index() + constant(-2)) / constant(3), 0), std::nullopt)
      << "a quotient of a negative number is not emitted";
}

TEST(Model, WhateverIsFittedGivesEveryEntryBack) {
  int fits = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const Integers entries = random_entries(seed);
    const std::optional<Fit> fit = fit_model(entries, static_cast<int>(seed % 6));
    if (!fit) continue;
    ++fits;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      ASSERT_EQ(value(fit->entry, static_cast<std::int64_t>(i)), entries[i])
          << seed << ": " << fit->how;
    }
  }
  EXPECT_GT(fits, 2000);
}

TEST(Expression, IsWrittenAsCReadsIt) {
  const Expression i = the_index();
  EXPECT_EQ(write_code(constant(2) * (i + constant(3))).text(), "2 * (i + 3)");
  EXPECT_EQ(write_code(constant(2) * (i / constant(3))).text(), "2 * (i / 3)");
  EXPECT_EQ(write_code((i + constant(1)) % constant(4) + constant(-5)).text(), "(i + 1) % 4 - 5");
  EXPECT_EQ(write_code(if_below(i, constant(4), constant(-1), i) + constant(1)).text(),
            "(i < 4 ? -1 : i) + 1");
  EXPECT_EQ(write_code(read_entry("a", i / constant(32)) + constant(3) * (i % constant(32))).text(),
            "a[i / 32] + 3 * (i % 32)");
  EXPECT_EQ(write_code(constant(-3) * i + constant(9)).text(), "-3 * i + 9");
  EXPECT_EQ(write_code(least(i * constant(1) + constant(0), constant(7))).text(), "min(i, 7)");
}

TEST(Expression, ReadsItsIndexAndItsArrays) {
  using Names = std::vector<std::string>;
  const Expression i = the_index();
  EXPECT_EQ(write_code(constant(4)).reads(), Names{});
  EXPECT_EQ(write_code(read_entry("a", constant(4))).reads(), Names{"a"});
  EXPECT_EQ(write_code(read_entry("a", i) + read_entry("b", constant(0))).reads(),
            (Names{"a", "b", "i"}));
}

}  // namespace
}  // namespace alphasparse
