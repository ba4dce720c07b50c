// packed: arrays in chunks give every entry back, also near the edge of a width, of a chunk or of
// 32 bits.
#include "generator/arrays/packed.h"

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

/// Every packing of entries in chunks of this size.
std::vector<PackedArray> all_of(const Entries& entries, int chunk, std::int32_t slope) {
  std::vector<PackedArray> all;
  for (const Widths widths : {Widths::equal, Widths::own}) {
    if (auto packed = pack(entries, chunk, slope, widths)) all.push_back(std::move(*packed));
  }
  return all;
}

TEST(Packed, TheArraysOfAnExample) {
  Entries entries{7, 9, 8, 10};
  entries.resize(33, 7);
  const auto equal = pack(entries, 0, 0, Widths::equal);
  ASSERT_TRUE(equal);
  EXPECT_EQ(equal->width, 2);
  EXPECT_EQ(equal->base, (Entries{7}));
  EXPECT_EQ(equal->head, Entries{});
  EXPECT_EQ(equal->words, (Entries{0b11'01'10'00, 0, 0, 0}));
  const auto own = pack(entries, 32, 0, Widths::own);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->base, (Entries{7, 7}));
  // 30 bits of 32 are cut off. 64 bits of fields begin with bit 30. The last of them, bits 92 and
  // 93, are those of entry 0: the window from bit 62 on has them on top. The other chunk is on a
  // line; its zero is bit 94, of the window from bit 63 on, which is told for entry 32.
  EXPECT_EQ(own->head, (Entries{62, 63 + 32}));
  EXPECT_EQ(own->words[2], 2u << 26 | 1u << 24 | 3u << 22);
}

TEST(Packed, ALineNeedsNoBits) {
  Entries entries;
  for (int i = 0; i < 1000; ++i) entries.push_back(3 * i - 500);
  const auto packed = pack(entries, 64, 3, Widths::equal);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->words.size(), 0u);
  EXPECT_EQ(unpacked(*packed, entries.size()), entries);
  EXPECT_EQ(pack_best(entries)->slope, 3);
  EXPECT_EQ(pack_best(entries)->bytes(), 0);
}

TEST(Packed, ChunksOnALineShareTheirZeros) {
  Entries entries(1000, 5);
  const std::size_t few = pack(entries, 64, 0, Widths::own)->words.size();
  EXPECT_LE(few, 4u);
  entries[640] = 1000;
  const auto packed = pack(entries, 64, 0, Widths::own);
  EXPECT_LE(packed->words.size(), few + 64 * 10 / 32 + 1);
  EXPECT_EQ(unpacked(*packed, entries.size()), entries);
}

TEST(Packed, ChunksThatAgreeHaveNoHeads) {
  Entries entries;
  for (int i = 0; i < 1000; ++i) entries.push_back(i * i % 16);
  EXPECT_EQ(pack_best(entries)->width, 4);
  EXPECT_EQ(pack_best(entries)->base.size(), 1u) << "one base for all";
  for (int i = 0; i < 1000; ++i) entries[i] += (i / 32) * (i / 32) * 7919 % 10'000;
  const auto far = pack_best(entries);
  EXPECT_GT(far->base.size(), 1u);
  EXPECT_EQ(unpacked(*far, entries.size()), entries);
  entries[500] += 1 << 20;
  EXPECT_EQ(pack_best(entries)->width, -1) << "one chunk is wider than the others";
}

TEST(Packed, EveryWidthAndLengthComesBack) {
  std::mt19937_64 random(1);
  for (int width = 0; width <= 31; ++width) {
    for (const std::size_t length : {0, 1, 2, 31, 32, 33, 255, 256, 257, 1000}) {
      Entries entries;
      for (std::size_t i = 0; i < length; ++i) {
        const int own = i / 64 % 3 == 1 ? width / 2 : i / 64 % 3 == 2 ? 0 : width;
        const auto field = static_cast<std::int64_t>(random() & ((std::uint64_t{1} << own) - 1));
        entries.push_back(static_cast<std::int32_t>(field + (width < 31 ? 17 : 0)));
      }
      for (const int chunk : {0, 32, 64, 128, 256}) {
        for (const std::int32_t slope : {0, 1, 5}) {
          for (const PackedArray& packed : all_of(entries, chunk, slope)) {
            // around a steep line 32 bits may not do
            ASSERT_EQ(unpacked(packed, length), entries) << width << " " << length << " " << chunk;
          }
        }
        ASSERT_EQ(all_of(entries, chunk, 0).size(), 2u) << width << " " << length;
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
      for (const PackedArray& packed : all_of(entries, 128, 2)) {
        EXPECT_EQ(unpacked(packed, entries.size()), entries) << at;
      }
      EXPECT_EQ(unpacked(*pack_best(entries), entries.size()), entries) << at;
    }
  }
}

TEST(Packed, WhatDoesNotFit32BitsIsRefused) {
  for (const Widths widths : {Widths::equal, Widths::own}) {
    EXPECT_FALSE(pack({least, most}, 32, 0, widths));
    EXPECT_FALSE(pack({-1, most}, 32, 0, widths));
    EXPECT_TRUE(pack({0, most}, 32, 0, widths));
    EXPECT_TRUE(pack({least, least + 5}, 32, 0, widths));
    // the line itself would leave the int
    EXPECT_FALSE(pack(Entries(32, least), 32, 1 << 30, widths));
    // the index times the slope would
    EXPECT_FALSE(pack(Entries(3000, 0), 32, 1 << 20, widths));
  }
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
  for (const int chunk : {0, 32, 64, 128, 256}) {
    for (const std::int32_t slope : {0, 1, best->slope}) {
      for (const PackedArray& packed : all_of(entries, chunk, slope)) {
        EXPECT_LE(best->bytes(), packed.bytes());
      }
    }
  }
  EXPECT_LT(best->bytes(), 2 * static_cast<std::int64_t>(entries.size()));
}

}  // namespace
}  // namespace alphasparse
