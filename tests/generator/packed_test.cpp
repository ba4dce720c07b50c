// packed: arrays in chunks give every entry back, whatever is near the edge of a width, of a chunk
// or of 32 bits.
#include "generator/packed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;

constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();

Entries unpacked(const PackedArray& packed, std::size_t count) {
  Entries entries;
  for (std::size_t i = 0; i < count; ++i)
    entries.push_back(packed.entry(static_cast<std::int64_t>(i)));
  return entries;
}

TEST(Packed, TheArraysOfAnExample) {
  Entries entries{7, 9, 8, 10};
  entries.resize(32, 7);
  const auto packed = pack(entries, 32, 0);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->base, (Entries{7}));
  EXPECT_EQ(packed->head, (Entries{0 * 32 + 2}));
  EXPECT_EQ(packed->words, (std::vector<std::uint32_t>{0b11'01'10'00, 0, 0}));
}

TEST(Packed, ALineNeedsNoBits) {
  Entries entries;
  for (int i = 0; i < 1000; ++i) entries.push_back(3 * i - 500);
  const auto packed = pack(entries, 64, 3);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->words.size(), 1u);
  EXPECT_EQ(unpacked(*packed, entries.size()), entries);
  EXPECT_EQ(pack_best(entries)->slope, 3);
}

TEST(Packed, EveryWidthAndLengthComesBack) {
  std::mt19937_64 random(1);
  for (int width = 0; width <= 31; ++width) {
    for (const std::size_t length : {0, 1, 2, 31, 32, 33, 255, 256, 257, 1000}) {
      Entries entries;
      for (std::size_t i = 0; i < length; ++i) {
        const auto field = static_cast<std::int64_t>(random() & ((std::uint64_t{1} << width) - 1));
        entries.push_back(static_cast<std::int32_t>(field + (width < 31 ? 17 : 0)));
      }
      for (const int chunk : {32, 64, 128, 256}) {
        for (const std::int32_t slope : {0, 1, 5}) {
          const auto packed = pack(entries, chunk, slope);
          if (!packed) continue;  // around a steep line 32 bits may not do
          ASSERT_EQ(unpacked(*packed, length), entries) << width << " " << length << " " << chunk;
        }
        ASSERT_TRUE(pack(entries, chunk, 0)) << width << " " << length;
      }
    }
  }
}

TEST(Packed, NearMissesKeepTheirEntry) {
  for (const std::size_t at : {0u, 31u, 32u, 127u, 128u, 299u}) {
    for (const int off : {-1, 1}) {
      Entries entries;
      for (int i = 0; i < 300; ++i) entries.push_back(2 * i);
      entries[at] += off;
      EXPECT_EQ(unpacked(*pack(entries, 128, 2), entries.size()), entries) << at;
      EXPECT_EQ(unpacked(*pack_best(entries), entries.size()), entries) << at;
    }
  }
}

TEST(Packed, WhatDoesNotFit32BitsIsRefused) {
  EXPECT_FALSE(pack({least, most}, 32, 0));
  EXPECT_FALSE(pack({-1, most}, 32, 0));
  EXPECT_TRUE(pack({0, most}, 32, 0));
  EXPECT_TRUE(pack({least, least + 5}, 32, 0));
  // the line itself would leave the int
  Entries steep(32, least);
  EXPECT_FALSE(pack(steep, 32, 1 << 30));
}

TEST(Packed, BestIsNeverLargerThanAnyOfItsChunks) {
  std::mt19937_64 random(2);
  Entries entries;
  for (int i = 0; i < 5000; ++i) {
    entries.push_back(40 * i + static_cast<std::int32_t>(random() % (i % 700 == 0 ? 100000 : 60)));
  }
  const auto best = pack_best(entries);
  ASSERT_TRUE(best);
  EXPECT_EQ(unpacked(*best, entries.size()), entries);
  for (const int chunk : {32, 64, 128, 256}) {
    for (const std::int32_t slope : {0, 1, best->slope}) {
      if (const auto packed = pack(entries, chunk, slope)) {
        EXPECT_LE(best->bytes(), packed->bytes());
      }
    }
  }
  EXPECT_LT(best->bytes(), 2 * static_cast<std::int64_t>(entries.size()));
}

}  // namespace
}  // namespace alphasparse
