// coding_cores: one core and several code an array alike, entry by entry, if it is long enough for
// several.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/ranges.h"
#include "generator/arrays/coding.h"
#include "generator/arrays/packed.h"
#include "generator/arrays/stored_values.h"

namespace alphasparse {
namespace {

constexpr std::int64_t length = 4 * range_least + 77;

/// An entry of each index, by its number within 64 and the number of that.
template <class Entry>
Integers entries_of(const Entry& entry) {
  Integers entries;
  for (std::int64_t i = 0; i < length; ++i)
    entries.push_back(static_cast<std::int32_t>(entry(i / 64, i % 64)));
  return entries;
}

struct Sample {
  const char* name;
  Integers entries;
};

std::vector<Sample> samples() {
  std::mt19937_64 random(1);
  const auto below = [&](std::int64_t most) { return static_cast<std::int64_t>(random() % most); };
  return {
      {"as wide everywhere", entries_of([&](auto, auto) { return below(1000); })},
      {"each chunk as wide as it likes, many without bits", entries_of([&](auto chunk, auto) {
         return 17 * chunk + (chunk % 3 == 0 ? below(2 << chunk % 14) : 0);
       })},
      {"a line", entries_of([&](auto chunk, auto i) { return 3 * (64 * chunk + i) - 500; })},
      {"above a line",
       entries_of([&](auto chunk, auto i) { return 7 * (64 * chunk + i) + below(200); })},
      {"runs that end anywhere", entries_of([&](auto chunk, auto i) {
         return 50 * (chunk * 31 % 1000) + i + (i > chunk % 64 ? 7 : 0);
       })},
      {"runs between others", entries_of([&](auto chunk, auto i) {
         const std::int64_t most = chunk % 7 == 0 ? 100'000'000 : chunk % 7 < 3 ? 200 : 60'000;
         return chunk % 5 == 0 ? chunk + i : below(most);
       })},
      {"the last one does not fit", entries_of([&](auto chunk, auto i) {
         return 64 * chunk + i == length - 1 ? INT32_MIN : below(100);
       })},
  };
}

void expect_same(const std::optional<CodedArray>& coded, const std::optional<CodedArray>& other) {
  ASSERT_EQ(coded.has_value(), other.has_value());
  if (!coded) return;
  EXPECT_EQ(coded->how, other->how);
  ASSERT_EQ(coded->parts.size(), other->parts.size());
  for (std::size_t i = 0; i < coded->parts.size(); ++i)
    EXPECT_TRUE(coded->parts[i].entries == other->parts[i].entries) << coded->parts[i].name;
}

TEST(CodingCores, EveryCodingIsTheSame) {
  int taken = 0;
  for (const auto& [name, entries] : samples()) {
    const auto all = [&entries = entries](int cores) {
      const CoresForRanges limit(cores);
      return std::vector{packed_coding("a", entries), narrow_coding("a", entries),
                         run_coding("a", entries), byte_coding("a", entries, 8),
                         byte_coding("a", entries, 64)};
    };
    const auto by_one = all(1);
    for (const auto& coded : by_one) taken += coded.has_value();
    for (const int cores : {2, 3, 4}) {
      const auto by_several = all(cores);
      for (std::size_t i = 0; i < by_one.size(); ++i) {
        SCOPED_TRACE(std::string(name) + ", coding " + std::to_string(i));
        expect_same(by_one[i], by_several[i]);
      }
    }
  }
  EXPECT_GE(taken, 20);
}

TEST(CodingCores, EveryPackingGivesTheEntriesBack) {
  for (const auto& [name, entries] : samples()) {
    for (const Widths widths : {Widths::equal, Widths::own}) {
      SCOPED_TRACE(name);
      const auto packed_by = [&, &entries = entries](int cores) {
        const CoresForRanges limit(cores);
        return pack(entries, 32, 0, widths);
      };
      const auto one = packed_by(1), four = packed_by(4);
      ASSERT_EQ(one.has_value(), four.has_value());
      if (!one) continue;
      EXPECT_TRUE(one->words == four->words && one->head == four->head);
    }
  }
}

TEST(CodingCores, ADictionaryHasItsValuesInTheirOrder) {
  std::mt19937_64 random(2);
  for (const std::int64_t different : {1, 40, 20'000, 60'000, 80'000}) {
    SCOPED_TRACE(different);
    std::vector<double> canonical;
    std::vector<std::int32_t> source;
    for (std::int64_t i = 0; i < length; ++i) {
      const auto known = static_cast<std::int64_t>(random() % (1 + different * i / length));
      canonical.push_back(static_cast<double>(known * 7919 % different));
      source.push_back(i > length / 2 && i % 1000 == 0 ? -1 : static_cast<std::int32_t>(i));
    }
    const auto made_by = [&](int cores) {
      const CoresForRanges limit(cores);
      return make_dictionary(canonical, source, Dtype::f64);
    };
    const auto one = made_by(1);
    EXPECT_EQ(one.has_value(), different <= 1 << 16);
    for (const int cores : {2, 3, 4}) {
      const auto several = made_by(cores);
      ASSERT_EQ(several.has_value(), one.has_value());
      if (!one) continue;
      EXPECT_TRUE(one->source == several->source && one->code == several->code);
    }
    if (!one) continue;
    for (std::int64_t i = 0; i < length; ++i) {  // independent of the function that made it
      const std::int32_t nz = one->source[one->code[i]];
      ASSERT_EQ(nz < 0, source[i] < 0);
      ASSERT_TRUE(nz < 0 || canonical[nz] == canonical[source[i]]);
    }
  }
}

}  // namespace
}  // namespace alphasparse
