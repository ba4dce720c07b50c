// line_ranges: how far the entries of each chunk of an array lie above a line. The distance gives
// the bits that they need.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace alphasparse {

struct LineRange {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();

  void add(std::int64_t value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  /// Bits of the distances above the least.
  int width() const {
    return most < least ? 0 : std::bit_width(static_cast<std::uint64_t>(most - least));
  }
};

/// The ranges of each `chunk` entries, the last ones perhaps fewer, above a line of `slope` that
/// begins at 0 with the first of them.
std::vector<LineRange> line_ranges(const std::vector<std::int32_t>& entries, std::size_t chunk,
                                   std::int64_t slope);

/// The same of several chunk sizes; the entries are read once.
class ChunkRanges {
 public:
  ChunkRanges(const std::vector<std::int32_t>& entries, std::int64_t slope);

  /// The ranges in chunks of 32, 64, 128 or 256; 0: of all entries together.
  std::vector<LineRange>& of(int chunk);

 private:
  static constexpr int least = 32, sizes = 4;

  std::array<std::vector<LineRange>, sizes> ranges_;  ///< of the least chunks, of twice as long...
  std::vector<LineRange> all_;
};

}  // namespace alphasparse
