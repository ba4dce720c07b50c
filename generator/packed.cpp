#include "generator/packed.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "generator/coding.h"

namespace alphasparse {

namespace {

constexpr int chunks[] = {32, 64, 128, 256};

struct Range {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();

  void add(std::int64_t value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  int width() const {
    return most < least ? 0 : std::bit_width(static_cast<std::uint64_t>(most - least));
  }
};

Range range_of(const std::vector<std::int32_t>& entries, std::size_t first, std::size_t end,
               std::int64_t slope) {
  Range range;
  for (std::size_t i = first; i < end; ++i) {
    range.add(entries[i] - slope * static_cast<std::int64_t>(i - first));
  }
  return range;
}

/// Ranges of the entries above a line that begins anew with each 32 of them.
std::vector<Range> ranges_of_32(const std::vector<std::int32_t>& entries, std::int64_t slope) {
  std::vector<Range> ranges;
  for (std::size_t first = 0; first < entries.size(); first += 32) {
    ranges.push_back(range_of(entries, first, std::min(entries.size(), first + 32), slope));
  }
  return ranges;
}

/// Bytes that pack() would use; a base and a head a chunk are part of them.
std::int64_t packed_bytes(const std::vector<Range>& of_32, int chunk, std::int64_t slope) {
  std::int64_t bytes = 4;
  const auto many = static_cast<std::size_t>(chunk) / 32;
  for (std::size_t first = 0; first < of_32.size(); first += many) {
    Range range;
    for (std::size_t i = first; i < std::min(of_32.size(), first + many); ++i) {
      const std::int64_t line = slope * 32 * static_cast<std::int64_t>(i - first);
      range.add(of_32[i].least - line);
      range.add(of_32[i].most - line);
    }
    bytes += 8 + std::int64_t{range.width()} * chunk / 8;
  }
  return bytes;
}

bool fits_int(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

void append_field(std::vector<std::uint32_t>& words, std::size_t first_word, std::int64_t bit,
                  std::uint32_t field, int width) {
  const std::size_t word = first_word + static_cast<std::size_t>(bit / 32);
  const int shift = static_cast<int>(bit % 32);
  words[word] |= field << shift;
  if (shift + width > 32) words[word + 1] |= field >> (32 - shift);
}

}  // namespace

std::int64_t PackedArray::bytes() const {
  return 4 * static_cast<std::int64_t>(base.size() + head.size() + words.size());
}

std::int32_t PackedArray::entry(std::int64_t i) const {
  const std::int64_t at = i / chunk, place = i % chunk;
  const int width = head[at] % 32;
  const std::int32_t line = base[at] + slope * static_cast<std::int32_t>(place);
  if (width == 0) return line;
  const std::int64_t bit = place * width;
  const std::uint32_t* const pair = words.data() + head[at] / 32 + bit / 32;
  const std::uint64_t both = pair[0] | std::uint64_t{pair[1]} << 32;
  const auto field = static_cast<std::uint32_t>(both >> bit % 32) & (0xffffffffu >> (32 - width));
  return line + static_cast<std::int32_t>(field);
}

std::optional<PackedArray> pack(const std::vector<std::int32_t>& entries, int chunk,
                                std::int32_t slope) {
  PackedArray packed;
  packed.chunk = chunk;
  packed.slope = slope;
  const auto size = static_cast<std::size_t>(chunk);
  for (std::size_t first = 0; first < entries.size(); first += size) {
    const std::size_t end = std::min(entries.size(), first + size);
    const Range range = range_of(entries, first, end, slope);
    const int width = range.width();
    // A sum of 32 bits: the base, the line and a field that is an int itself.
    if (width > 31 || !fits_int(range.least)) return std::nullopt;
    const std::size_t word = packed.words.size();
    if (word > INT32_MAX / 32) return std::nullopt;
    packed.base.push_back(static_cast<std::int32_t>(range.least));
    packed.head.push_back(static_cast<std::int32_t>(word) * 32 + width);
    packed.words.resize(word + static_cast<std::size_t>(width) * size / 32);
    for (std::size_t i = first; i < end && width > 0; ++i) {
      const std::int64_t line = range.least + slope * static_cast<std::int64_t>(i - first);
      if (!fits_int(line)) return std::nullopt;
      append_field(packed.words, word, static_cast<std::int64_t>(i - first) * width,
                   static_cast<std::uint32_t>(entries[i] - line), width);
    }
  }
  packed.words.push_back(0);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (packed.entry(static_cast<std::int64_t>(i)) != entries[i]) return std::nullopt;
  }
  return packed;
}

std::optional<PackedArray> pack_best(const std::vector<std::int32_t>& entries) {
  std::int64_t best_bytes = std::numeric_limits<std::int64_t>::max();
  int best_chunk = 0;
  std::int32_t best_slope = 0;
  for (const std::int32_t slope : slopes_of(entries)) {
    const std::vector<Range> of_32 = ranges_of_32(entries, slope);
    for (const int chunk : chunks) {
      const std::int64_t bytes = packed_bytes(of_32, chunk, slope);
      if (bytes >= best_bytes) continue;
      best_bytes = bytes;
      best_chunk = chunk;
      best_slope = slope;
    }
  }
  return best_chunk == 0 ? std::nullopt : pack(entries, best_chunk, best_slope);
}

}  // namespace alphasparse
