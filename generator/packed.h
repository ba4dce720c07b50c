// packed: an integer array in chunks, each with a base and only as many bits an entry as it needs.
//
// Entry i of chunk c is base[c] + slope * (i % chunk) + bits(i): a frame of reference a chunk
// (Goldstein, Ramakrishnan, Shaft 1998), around a line where there is a slope. The fields of a
// chunk lie one behind the other, lowest bit first, in words of 32 bits; a chunk begins with a
// word. One number of each chunk, its head, says where that is and how wide the fields are.
//
// Example, chunks of 32, entries 7 9 8 10 ... in [7, 10]: base 7, width 2, words 0b11011000 ...
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace alphasparse {

struct PackedArray {
  int chunk = 32;                    ///< entries of a chunk: 32, 64, 128 or 256
  std::int32_t slope = 0;            ///< what the base grows by from entry to entry
  std::vector<std::int32_t> base;    ///< [chunks]
  std::vector<std::int32_t> head;    ///< [chunks] 32 * its first word + bits of a field
  std::vector<std::uint32_t> words;  ///< and one spare word: two neighbours are read at once

  std::int64_t bytes() const;
  std::int32_t entry(std::int64_t i) const;  ///< in the arithmetic that kernels use
};

/// The entries in chunks of `chunk` around lines of `slope`, or nothing where the arithmetic of 32
/// bits would not give every entry back.
std::optional<PackedArray> pack(const std::vector<std::int32_t>& entries, int chunk,
                                std::int32_t slope);

/// Of all chunk sizes and promising slopes the one with the fewest bytes.
std::optional<PackedArray> pack_best(const std::vector<std::int32_t>& entries);

}  // namespace alphasparse
