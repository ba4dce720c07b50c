// segments: CSR5's arrays on the worked example of its tiles, at the ends where tiles go wrong, and
// against a naive definition on random matrices.
#include "generator/facts/segments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;
using Words = std::vector<std::uint32_t>;
using Offsets = std::vector<std::uint16_t>;

constexpr std::uint32_t gaps = SegmentArrays::has_empty_rows;

/// Cuts all non-zeros into tiles of threads * items.
SegmentArrays tiling(const Entries& row_first_nz, int threads, int items) {
  Entries tiles;
  for (std::int32_t nz = 0; nz < row_first_nz.back(); nz += threads * items) tiles.push_back(nz);
  tiles.push_back(row_first_nz.back());
  return segment_arrays(row_first_nz, tiles, threads, items);
}

TEST(Segments, TheWorkedExampleOfFourByFour) {
  const SegmentArrays arrays = tiling({0, 2, 2, 5, 13, 17, 18, 26, 34}, 4, 4);
  EXPECT_EQ(arrays.tile_ptr, (Words{0 | gaps, 4, 7, 8}));
  EXPECT_EQ(arrays.y_offset, (Offsets{0, 2, 3, 3, 0, 3, 3, 4, 0, 1, 1, 1}));
  EXPECT_EQ(arrays.seg_offset, (Offsets{0, 1, 0, 0, 1, 0, 1, 0, 3, 0, 0, 0}));
  EXPECT_EQ(arrays.bit_flag, (Words{0b0101, 0b0010, 0, 0b0010, 0b0111, 0, 0b0100, 0, 1, 0, 0, 0}));
  EXPECT_EQ(arrays.empty_offset_first, (Entries{0, 4, 4, 4}));
  EXPECT_EQ(arrays.empty_offset, (Entries{0, 2, 3, 4}));
}

TEST(Segments, NoNonZerosNoTiles) {
  const SegmentArrays arrays = segment_arrays({0, 0, 0}, {0}, 4, 4);
  EXPECT_EQ(arrays.tile_ptr, Words{2});
  EXPECT_TRUE(arrays.empty_offset_first.empty());
  EXPECT_TRUE(arrays.bit_flag.empty() && arrays.y_offset.empty());
}

TEST(Segments, EmptyRowsAtTheEndsNeedNoOffsets) {
  // Rows 0, 1 and 4, 5 are empty: the rows of the tile are consecutive all the same.
  const SegmentArrays arrays = tiling({0, 0, 0, 2, 3, 3, 3}, 2, 2);
  EXPECT_EQ(arrays.tile_ptr, (Words{2, 6}));
  EXPECT_TRUE(arrays.empty_offset.empty());
  EXPECT_EQ(arrays.bit_flag, (Words{0b01, 0b01}));
}

TEST(Segments, AnEmptyRowBetweenTilesIsNobodys) {
  // Row 1 is empty and lies exactly where the second tile begins.
  const SegmentArrays arrays = tiling({0, 4, 4, 6, 8}, 2, 2);
  EXPECT_EQ(arrays.tile_ptr, (Words{0, 2, 4}));
  EXPECT_TRUE(arrays.empty_offset.empty());
}

TEST(Segments, OneLongRowOpensASegmentInEveryTile) {
  const SegmentArrays arrays = tiling({0, 10}, 2, 2);
  EXPECT_EQ(arrays.tile_ptr, (Words{0, 0, 0, 1}));
  EXPECT_EQ(arrays.bit_flag, (Words{1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(arrays.seg_offset, (Offsets{1, 0, 1, 0, 1, 0}));
}

TEST(Segments, ThreadsBehindAnIncompleteTilesEndOpenNothing) {
  const SegmentArrays arrays = tiling({0, 1, 2, 3}, 4, 2);
  EXPECT_EQ(arrays.bit_flag, (Words{0b11, 0b01, 0, 0}));
  EXPECT_EQ(arrays.y_offset, (Offsets{0, 2, 3, 3}));
  EXPECT_EQ(arrays.seg_offset, (Offsets{0, 2, 0, 0}));
}

TEST(Segments, AThreadThatStandsAloneIsATile) {
  const SegmentArrays arrays = tiling({0, 3, 3, 4, 5}, 1, 4);
  EXPECT_EQ(arrays.tile_ptr, (Words{0 | gaps, 3, 4}));
  EXPECT_EQ(arrays.bit_flag, (Words{0b1001, 0b0001}));
  EXPECT_TRUE(arrays.y_offset.empty() && arrays.seg_offset.empty());
  EXPECT_EQ(arrays.empty_offset, (Entries{0, 2}));
}

TEST(Segments, AFlagForEachOf32Items) {
  Entries rows(33);
  std::iota(rows.begin(), rows.end(), 0);
  EXPECT_EQ(tiling(rows, 1, 32).bit_flag, Words{0xffffffffu});
}

TEST(Segments, TilesThatEndEarlyByTheirParent) {
  // Blocks of rows end the tiles at 3 and 5 non-zeros, which four items would pass.
  const SegmentArrays arrays = segment_arrays({0, 3, 5, 6}, {0, 3, 5, 6}, 1, 4);
  EXPECT_EQ(arrays.tile_ptr, (Words{0, 1, 2, 3}));
  EXPECT_EQ(arrays.bit_flag, (Words{1, 1, 1}));
}

/// The same arrays from their definitions, one non-zero and one thread at a time.
SegmentArrays naive(const Entries& row_first_nz, const Entries& tiles, int threads, int items) {
  const auto row_of = [&](std::int32_t nz) {
    return static_cast<std::int32_t>(
        std::upper_bound(row_first_nz.begin(), row_first_nz.end(), nz) - row_first_nz.begin() - 1);
  };
  SegmentArrays arrays;
  arrays.empty_offset_first.push_back(0);
  for (std::size_t tile = 0; tile + 1 < tiles.size(); ++tile) {
    const std::int32_t first = tiles[tile], end = tiles[tile + 1];
    const auto opens = [&](std::int32_t nz) {
      return nz < end && (nz == first || row_of(nz) != row_of(nz - 1));
    };
    Entries rows;
    for (std::int32_t nz = first; nz < end; ++nz) {
      if (opens(nz)) rows.push_back(row_of(nz));
    }
    const auto opened_below = [&](std::int32_t limit) {
      std::uint32_t count = 0;
      for (std::int32_t nz = first; nz < limit; ++nz) count += opens(nz);
      return count;
    };
    for (int thread = 0; thread < threads; ++thread) {
      const std::int32_t begin = first + thread * items;
      std::uint32_t flags = 0, followers = 0;
      for (int item = 0; item < items; ++item) {
        if (opens(begin + item)) flags |= 1u << item;
      }
      for (int next = thread + 1; next < threads && flags != 0; ++next) {
        const std::int32_t at = first + next * items;
        if (opened_below(std::min(at + items, end)) != opened_below(std::min(at, end))) break;
        ++followers;
      }
      arrays.bit_flag.push_back(flags);
      if (threads == 1) continue;  // the offsets of a thread that stands alone are zeros
      arrays.y_offset.push_back(opened_below(std::min(begin, end)));
      arrays.seg_offset.push_back(followers);
    }
    const bool has_gaps = rows.back() - rows.front() + 1 != static_cast<std::int32_t>(rows.size());
    arrays.tile_ptr.push_back(rows.front() | (has_gaps ? gaps : 0));
    for (std::size_t segment = 0; segment < rows.size(); ++segment) {
      if (has_gaps) arrays.empty_offset.push_back(rows[segment] - rows.front());
    }
    arrays.empty_offset_first.push_back(static_cast<std::int32_t>(arrays.empty_offset.size()));
  }
  arrays.tile_ptr.push_back(static_cast<std::uint32_t>(row_first_nz.size() - 1));
  arrays.some_empty_rows = !arrays.empty_offset.empty();
  if (!arrays.some_empty_rows) arrays.empty_offset_first.clear();
  return arrays;
}

using RowsOfSegments = std::vector<std::pair<std::int32_t, bool>>;

RowsOfSegments segments_of(const Entries& row_first_nz, const Entries& tiles) {
  RowsOfSegments segments;
  for_segments(row_first_nz, tiles,
               [&](std::int32_t row, bool is_edge) { segments.emplace_back(row, is_edge); });
  return segments;
}

/// Row by row of each tile.
RowsOfSegments naive_segments(const Entries& row_first_nz, const Entries& tiles) {
  RowsOfSegments segments;
  for (std::size_t tile = 0; tile + 1 < tiles.size(); ++tile) {
    const std::size_t first = segments.size();
    for (std::int32_t row = 0; row + 1 < static_cast<std::int32_t>(row_first_nz.size()); ++row) {
      const std::int32_t begin = std::max(row_first_nz[row], tiles[tile]),
                         end = std::min(row_first_nz[row + 1], tiles[tile + 1]);
      if (begin < end) segments.emplace_back(row, false);
    }
    segments[first].second = segments.back().second = true;
  }
  return segments;
}

TEST(Segments, AreListedWithTheEdgesOfTheirTiles) {
  EXPECT_EQ(segments_of({0, 10}, {0, 4, 8, 10}), (RowsOfSegments{{0, true}, {0, true}, {0, true}}));
  EXPECT_EQ(segments_of({0, 1, 2, 3}, {0, 3}), (RowsOfSegments{{0, true}, {1, false}, {2, true}}));
  // Rows 1 and 4 are empty; row 3 is a tile of its own.
  EXPECT_EQ(segments_of({0, 3, 3, 4, 5, 5}, {0, 4, 5}),
            (RowsOfSegments{{0, true}, {2, true}, {3, true}}));
  EXPECT_EQ(segments_of({0, 0, 0}, {0}), RowsOfSegments{});
}

TEST(Segments, EqualTheNaiveDefinition) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto below = [&](int end) { return static_cast<int>(random() % end); };
    Entries rows{0};
    for (int row = below(30); row >= 0; --row) {
      const int kind = below(10);
      rows.push_back(rows.back() + (kind < 4 ? 0 : kind < 9 ? below(6) : below(80)));
    }
    const int threads = 1 << below(6), items = 1 + below(9);
    // Whole tiles, some ended early.
    Entries tiles{0};
    while (tiles.back() < rows.back()) {
      const int full = threads * items, size = below(4) == 0 ? 1 + below(full) : full;
      tiles.push_back(std::min(tiles.back() + size, rows.back()));
    }
    const SegmentArrays arrays = segment_arrays(rows, tiles, threads, items);
    const SegmentArrays expected = naive(rows, tiles, threads, items);
    EXPECT_EQ(arrays.tile_ptr, expected.tile_ptr);
    EXPECT_EQ(arrays.bit_flag, expected.bit_flag);
    EXPECT_EQ(arrays.y_offset, expected.y_offset);
    EXPECT_EQ(arrays.seg_offset, expected.seg_offset);
    EXPECT_EQ(arrays.empty_offset_first, expected.empty_offset_first);
    EXPECT_EQ(arrays.empty_offset, expected.empty_offset);
    EXPECT_EQ(segments_of(rows, tiles), naive_segments(rows, tiles));
    EXPECT_EQ(arrays.some_empty_rows, expected.some_empty_rows);
  }
}

}  // namespace
}  // namespace alphasparse
