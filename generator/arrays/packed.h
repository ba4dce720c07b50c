// packed: an integer array in few bits, as many of each entry as its chunk needs, or all entries
// need.
//
// Entry i is base + slope * i + field(i): a frame of reference (Goldstein, Ramakrishnan, Shaft
// 1998), around a line where there is a slope. Each chunk has a base, so that all are of its own
// line; or all entries have one. The fields lie in words of 32 bits, lowest bit first, in one of
// two layouts:
//
// - All have as many bits, `width`: field i begins at bit i * width.
// - Each chunk has a width of its own, and a head that tells this width and the place of its
//   fields. Let cut = head % 32. To read field i, take the 32 bits from bit head + i * (cut - 32)
//   on, and drop the lowest `cut` of them. So a field has 32 - cut bits, 1 to 31. Fields of a chunk
//   lie one before the other. A decoder divides, masks and multiplies as little as possible.
//   Bits are counted modulo 2^32. Chunks on a line share fields of zeros.
//
// Example, all entries with one base, 7 9 8 10 7 ...: base 7, width 2, words 0b..00'11'01'10'00.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace alphasparse {

struct PackedArray {
  int chunk = 0;                    ///< entries of a chunk: 32, 64, 128 or 256; 0: all are one
  std::int32_t slope = 0;           ///< the growth of the base from entry to entry
  int width = -1;                   ///< bits of every field; -1: chunks have heads
  std::vector<std::int32_t> base;   ///< [chunks] the value of entry 0 on the chunk's line
  std::vector<std::int32_t> head;   ///< [chunks], or nothing
  std::vector<std::int32_t> words;  ///< bits, so many that two neighbours can be read at once

  std::int64_t bytes() const;
  std::int32_t entry(std::int64_t i) const;  ///< in the arithmetic that kernels use
};

/// How fields are wide.
enum class Widths { equal, own };

/// The entries in chunks of `chunk`, 0 for one, around lines of `slope`. Nothing where the
/// arithmetic of 32 bits would not give every entry back. One chunk has equal widths.
std::optional<PackedArray> pack(const std::vector<std::int32_t>& entries, int chunk,
                                std::int32_t slope, Widths widths);

/// The packing with the fewest bytes, of all chunk sizes, widths and promising slopes. Among equals
/// it is the one that is decoded the fastest.
std::optional<PackedArray> pack_best(const std::vector<std::int32_t>& entries);

}  // namespace alphasparse
