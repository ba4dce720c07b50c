// coding: every coding gives every entry back by its expression over its parts, or refuses.
#include "generator/arrays/coding.h"

#include <gtest/gtest.h>

#include <climits>

#include "tests/support/random_entries.h"

namespace alphasparse {
namespace {

using Make = std::optional<CodedArray> (*)(const std::string&, const Integers&);

template <int LANES>
std::optional<CodedArray> bytes_by(const std::string& name, const Integers& entries) {
  return byte_coding(name, entries, LANES);
}

constexpr std::pair<const char*, Make> codings[] = {{"packed", packed_coding},
                                                    {"narrow", narrow_coding},
                                                    {"runs", run_coding},
                                                    {"bytes by 8", bytes_by<2>},
                                                    {"bytes by 32", bytes_by<32>}};

/// The values that the coding's expression makes of its parts.
Integers decoded(const CodedArray& coded, std::size_t count) {
  const EntryReader read = [&](const std::string& name,
                               std::int64_t at) -> std::optional<std::int64_t> {
    for (const CodedPart& part : coded.parts) {
      if (part.name != name || at < 0) continue;
      if (at >= static_cast<std::int64_t>(part.entries.size())) return std::nullopt;
      return part.entries[at];
    }
    return std::nullopt;
  };
  Integers entries;
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = value(coded.entry, static_cast<std::int64_t>(i), read);
    EXPECT_TRUE(entry) << "entry " << i << " cannot be read";
    entries.push_back(static_cast<std::int32_t>(entry.value_or(INT_MIN)));
  }
  return entries;
}

/// How many codings take the entries; each must give them back, in parts as wide as they claim.
int check(const Integers& entries) {
  int taken = 0;
  for (const auto& [name, make] : codings) {
    const auto coded = make("a", entries);
    if (!coded) continue;
    ++taken;
    EXPECT_EQ(decoded(*coded, entries.size()), entries) << name;
    for (const CodedPart& part : coded->parts) {
      const std::int64_t most = part.type == ElementType::u8    ? 255
                                : part.type == ElementType::u16 ? 65535
                                                                : INT_MAX;
      for (const std::int32_t entry : part.entries) {
        if (part.type == ElementType::i32 || part.type == ElementType::u32) continue;
        EXPECT_TRUE(entry >= 0 && entry <= most) << name << " " << part.name;
      }
    }
  }
  return taken;
}

TEST(Coding, GivesWhateverItTakesBack) {
  int taken = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    taken += check(random_entries(seed));
  }
  EXPECT_GT(taken, 10'000);
}

TEST(Coding, AtTheEdgesOfItsWidths) {
  for (const std::int32_t range : {0, 1, 255, 256, 65535, 65536, INT_MAX - 1}) {
    for (const std::size_t count : {1u, 2u, 31u, 32u, 33u, 300u}) {
      Integers entries(count, 0);
      entries.back() = range;
      SCOPED_TRACE(testing::Message() << range << " in " << count);
      check(entries);
    }
  }
  const auto bits = [](std::int32_t range) {
    Integers entries(32, 7);
    for (int i = 0; i < 32; i += 3) entries[i] += range;
    const auto coded = narrow_coding("a", entries);
    return coded ? 8 * element_bytes(coded->parts.back().type) : 32;
  };
  EXPECT_EQ(bits(255), 8);
  EXPECT_EQ(bits(256), 16);
  EXPECT_EQ(bits(65535), 16);
  EXPECT_EQ(bits(65536), 32);
}

TEST(Coding, RunsOfTheExample) {
  const auto coded = run_coding("a", {7, 8, 9, 4, 5, 30, 31, 32});
  ASSERT_TRUE(coded);
  EXPECT_EQ(coded->parts[0].entries, (Integers{0b00101001}));
  EXPECT_EQ(coded->parts[1].entries, (Integers{0}));
  EXPECT_EQ(coded->parts[2].entries, (Integers{7, 1, 25}));
}

TEST(Coding, PartsThatAreReadTogetherBecomeOneArray) {
  int joined = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Integers entries = random_entries(seed);
    for (const Make make : {packed_coding, run_coding}) {
      auto coded = make("a", entries);
      if (!coded || coded->header.empty()) continue;
      const std::size_t parts = coded->parts.size();
      const Integers first = coded->parts[0].entries, second = coded->parts[1].entries;
      join_header(*coded);
      ASSERT_EQ(coded->parts.size(), parts - 1);
      ASSERT_EQ(coded->parts[0].entries.size(), 2 * first.size());
      EXPECT_EQ(coded->parts[0].entries[0], first[0]);
      EXPECT_EQ(coded->parts[0].entries[1], second[0]);
      EXPECT_EQ(decoded(*coded, entries.size()), entries) << seed;
      ++joined;
    }
  }
  EXPECT_GT(joined, 50);
}

TEST(Coding, BytesOfTheExample) {
  Integers entries = {40, 41, 42, 43, 44, 45, 46, 47, 40, 7, 200, 12, 7, 8, 9, 7};
  const auto coded = byte_coding("a", entries, 8);
  ASSERT_TRUE(coded);
  EXPECT_EQ(coded->parts[0].entries, (Integers{40, 7}));
  EXPECT_EQ(coded->parts[1].entries, (Integers{0, 1}));
  EXPECT_EQ(coded->parts[2].entries, (Integers{0x05c10021, 0x00020100, 0}));
  EXPECT_EQ(decoded(*coded, entries.size()), entries);
  EXPECT_FALSE(byte_coding("a", {0, INT_MIN}, 8)) << "a base that has no literal";
}

TEST(Coding, ARunGoesOnOverTheEndOfAWord) {
  Integers entries;
  for (int i = 0; i < 100; ++i) entries.push_back(i < 40 ? 5 + i : i < 90 ? 1000 + i : i - 80);
  const auto coded = run_coding("a", entries);
  ASSERT_TRUE(coded);
  EXPECT_EQ(coded->parts[1].entries, (Integers{0, 1, 2, 3}));
  EXPECT_EQ(decoded(*coded, entries.size()), entries);
}

TEST(Coding, RefusesWhatIsNoIntOnTheWay) {
  EXPECT_FALSE(narrow_coding("a", {}));
  EXPECT_FALSE(run_coding("a", {}));
  EXPECT_FALSE(run_coding("a", Integers(64, INT_MIN)));
  EXPECT_FALSE(narrow_coding("a", Integers(64, INT_MIN)));
  EXPECT_FALSE(run_coding("a", {1, 5, 3, 9, 2, 8})) << "no runs";
}

TEST(Coding, TheBestIsTheOneWithTheFewestBytes) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Integers entries = random_entries(seed);
    const auto best = best_coding("a", entries, CodingChoice::fewest, true);
    const std::int64_t full = 4 * static_cast<std::int64_t>(entries.size());
    const std::int64_t fewest = best ? coded_bytes(*best, true) : full;
    EXPECT_LE(fewest, full);
    for (const CodingChoice choice :
         {CodingChoice::packed, CodingChoice::narrow, CodingChoice::runs}) {
      if (const auto other = best_coding("a", entries, choice, true)) {
        EXPECT_LE(fewest, coded_bytes(*other, true)) << seed;
      }
    }
  }
  EXPECT_FALSE(best_coding("a", Integers(100, 0), CodingChoice::full, true));
}

TEST(Coding, TheBestInTheMemoryOfTheEntriesIsTheSame) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Integers entries = random_entries(seed);
    for (const CodingChoice choice :
         {CodingChoice::full, CodingChoice::fewest, CodingChoice::packed, CodingChoice::narrow,
          CodingChoice::runs, CodingChoice::bytes}) {
      const auto best = best_coding("a", entries, choice, true);
      Integers taken = entries;
      const auto same = take_best_coding("a", taken, choice, true, 32);
      ASSERT_EQ(same.has_value(), best.has_value()) << seed;
      EXPECT_EQ(taken, best ? Integers() : entries) << seed;
      if (!best) continue;
      EXPECT_EQ(same->how, best->how) << seed;
      ASSERT_EQ(same->parts.size(), best->parts.size()) << seed;
      for (std::size_t part = 0; part < best->parts.size(); ++part)
        EXPECT_EQ(same->parts[part].entries, best->parts[part].entries) << seed;
    }
  }
}

}  // namespace
}  // namespace alphasparse
