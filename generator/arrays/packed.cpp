#include "generator/arrays/packed.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>

#include "base/ranges.h"
#include "generator/arrays/coding.h"
#include "generator/arrays/line_ranges.h"

namespace alphasparse {

namespace {

/// Chunks that are decoded faster come first: all have one base, then a table of bases.
constexpr int chunks[] = {0, 256, 128, 64, 32};

constexpr std::int64_t too_many = std::numeric_limits<std::int64_t>::max();

int widest(const std::vector<LineRange>& ranges) {
  int width = 0;
  for (const LineRange& range : ranges) width = std::max(width, range.width());
  return width;
}

/// Where chunks of own widths lie: each as near to the one before it as its cut allows.
class BitAllocator {
 public:
  /// Bit of the window of the chunk's entry 0.
  std::int64_t add(std::int64_t count, int width) {
    if (width == 0) return zeros(count);
    return window(count, width);
  }
  std::int64_t words() const { return (end_ + 31) / 32; }

 private:
  std::int64_t window(std::int64_t count, int width) {
    const std::int64_t offset = 32 - width;
    const std::int64_t least = std::max(end_, offset) + count * width - 32;
    const std::int64_t first = least + ((offset - least) % 32 + 32) % 32;
    end_ = first + 32;
    return first;
  }

  /// The first chunk on a line is whole, or the only one.
  std::int64_t zeros(std::int64_t count) {
    if (zeros_ < 0) zeros_ = window(count, 1);
    return zeros_;
  }

  std::int64_t end_ = 0, zeros_ = -1;
};

/// Bytes of equal widths and of own ones.
std::int64_t bytes_of_equal(const std::vector<LineRange>& ranges, std::int64_t count) {
  const int width = widest(ranges);
  if (width > 31) return too_many;
  const std::int64_t bases = ranges.size() > 1 ? static_cast<std::int64_t>(ranges.size()) : 0;
  return 4 * (bases + (width == 0 ? 0 : (count * width + 31) / 32 + 1));
}

std::int64_t bytes_of_own(const std::vector<LineRange>& ranges, std::int64_t count, int chunk) {
  if (widest(ranges) > 31) return too_many;
  BitAllocator allocator;
  std::int64_t left = count;
  for (const LineRange& range : ranges) {
    allocator.add(std::min<std::int64_t>(left, chunk), range.width());
    left -= chunk;
  }
  return 4 * (2 * static_cast<std::int64_t>(ranges.size()) + allocator.words());
}

bool fits_int(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

/// Whether kernels may multiply each index by the slope.
bool fits(std::int64_t slope, std::size_t count) {
  return fits_int(slope * static_cast<std::int64_t>(count));
}

void add_bits(std::int32_t& word, std::uint32_t bits) {
  word = std::bit_cast<std::int32_t>(std::bit_cast<std::uint32_t>(word) | bits);
}

void write_field(std::vector<std::int32_t>& words, std::int64_t bit, std::uint32_t field,
                 int width) {
  if (width == 0) return;
  const auto word = static_cast<std::size_t>(bit / 32);
  const int shift = static_cast<int>(bit % 32);
  add_bits(words[word], field << shift);
  if (shift + width > 32) add_bits(words[word + 1], field >> (32 - shift));
}

/// 32 bits from any bit on.
std::uint32_t window_at(const std::vector<std::int32_t>& words, std::uint32_t bit) {
  const auto low = std::bit_cast<std::uint32_t>(words[bit / 32]),
             high = std::bit_cast<std::uint32_t>(words[bit / 32 + 1]);
  const std::uint64_t both = low | std::uint64_t{high} << 32;
  return static_cast<std::uint32_t>(both >> bit % 32);
}

/// Puts heads and words into an array that has all else.
class Packing {
 public:
  Packing(const std::vector<std::int32_t>& entries, PackedArray& packed)
      : entries_(entries), packed_(packed), size_(packed.chunk > 0 ? packed.chunk : count()) {}

  /// False where there are too many bits.
  bool try_width(int width) {
    packed_.width = width;
    if (count() * width > too_many_bits) return false;
    if (width == 0) return true;
    packed_.words.resize(static_cast<std::size_t>((count() * width + 31) / 32 + 1));
    constexpr std::int64_t together = 32;  // as many fields have words of their own
    const std::int64_t groups = (count() + together - 1) / together;
    const auto write = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t group = begin; group < end; ++group) {
        const std::int64_t first = group * together, base = find_base(first / size_);
        for (std::int64_t i = first; i < std::min(count(), first + together); ++i) {
          write_field(packed_.words, i * width, field(i, base), width);
        }
      }
    };
    for_ranges(groups, write, grain_size(groups, count()));
    return true;
  }

  bool try_heads(const std::vector<LineRange>& ranges) {
    const auto chunks = static_cast<std::int64_t>(ranges.size());
    std::vector<std::int64_t> windows(ranges.size());
    packed_.head.resize(ranges.size());
    BitAllocator allocator;
    for (std::int64_t at = 0; at < chunks; ++at) {
      const std::int64_t first = at * size_, end = std::min(count(), first + size_);
      const int width = ranges[at].width();
      const std::int64_t window = windows[at] = allocator.add(end - first, width);
      if (window > too_many_bits) return false;
      packed_.head[at] = std::bit_cast<std::int32_t>(
          static_cast<std::uint32_t>(window + first * std::max(width, 1)));
    }
    packed_.words.resize(static_cast<std::size_t>(allocator.words()));
    const auto write = [&](std::int64_t at) {
      const std::int64_t first = at * size_, base = find_base(at);
      const int width = ranges[at].width();
      if (width == 0) return;
      for (std::int64_t i = first; i < std::min(count(), first + size_); ++i) {
        const std::int64_t bit = windows[at] - (i - first) * width + 32 - width;
        write_field(packed_.words, bit, field(i, base), width);
      }
    };
    // Neighbours share a word: the first one that has fields waits until all ranges are done.
    const auto write_others = [&](std::int64_t begin, std::int64_t end) {
      while (begin < end && ranges[begin].width() == 0) ++begin;
      for (std::int64_t at = begin + 1; at < end; ++at) write(at);
      return begin < end ? begin : chunks;
    };
    for (const std::int64_t at :
         parts_of_ranges(chunks, write_others, grain_size(chunks, count()))) {
      if (at < chunks) write(at);
    }
    return true;
  }

 private:
  static constexpr std::int64_t too_many_bits = (std::int64_t{1} << 32) - 64;

  std::int64_t count() const { return static_cast<std::int64_t>(entries_.size()); }

  std::int64_t find_base(std::int64_t chunk) const {
    return packed_.base[static_cast<std::size_t>(chunk)];
  }
  std::uint32_t field(std::int64_t i, std::int64_t base) const {
    const std::int64_t line = base + packed_.slope * i;
    return static_cast<std::uint32_t>(entries_[static_cast<std::size_t>(i)] - line);
  }

  const std::vector<std::int32_t>& entries_;
  PackedArray& packed_;
  const std::int64_t size_;
};

/// The bases, which are added to the lines; false where an intermediate number would be no int.
bool find_bases(const std::vector<LineRange>& ranges, std::int64_t count, std::int64_t size,
                PackedArray& packed) {
  std::int64_t first = 0;
  for (const LineRange& range : ranges) {
    const std::int64_t last = std::min(count, first + size) - 1 - first;
    const std::int64_t base = range.least - packed.slope * first;
    if (!fits_int(range.least) || !fits_int(range.least + packed.slope * last) || !fits_int(base)) {
      return false;
    }
    packed.base.push_back(static_cast<std::int32_t>(base));
    first += size;
  }
  return true;
}

/// Whether kernels would find every entry.
bool gives_back(const PackedArray& packed, const std::vector<std::int32_t>& entries) {
  std::atomic<bool> all = true;
  const auto count = static_cast<std::int64_t>(entries.size());
  for_ranges(count, [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      if (packed.entry(i) == entries[static_cast<std::size_t>(i)]) continue;
      all = false;
      return;
    }
  });
  return all;
}

/// How entries are packed, and their ranges in such chunks above such lines.
struct Way {
  int chunk = 0;
  std::int32_t slope = 0;
  Widths widths = Widths::equal;
  std::vector<LineRange> ranges;
};

std::optional<PackedArray> pack_entries(const Way& way, const std::vector<std::int32_t>& entries) {
  const auto count = static_cast<std::int64_t>(entries.size());
  const int width = widest(way.ranges);
  PackedArray packed;
  packed.chunk = way.chunk;
  packed.slope = way.slope;
  const std::int64_t size = way.chunk > 0 ? way.chunk : std::max<std::int64_t>(count, 1);
  if (width > 31 || !fits(way.slope, entries.size()) ||
      !find_bases(way.ranges, count, size, packed)) {
    return std::nullopt;
  }
  Packing packing(entries, packed);
  const bool equal = way.chunk == 0 || way.widths == Widths::equal;
  if (!(equal ? packing.try_width(width) : packing.try_heads(way.ranges))) return std::nullopt;
  if (!gives_back(packed, entries)) return std::nullopt;
  return packed;
}

}  // namespace

std::int64_t PackedArray::bytes() const {
  const std::size_t bases = base.size() > 1 ? base.size() : 0;
  return 4 * static_cast<std::int64_t>(bases + head.size() + words.size());
}

std::int32_t PackedArray::entry(std::int64_t i) const {
  const auto index = static_cast<std::uint32_t>(i);
  const std::uint32_t at = chunk > 0 ? index / static_cast<std::uint32_t>(chunk) : 0;
  const std::int32_t line = base[at] + slope * static_cast<std::int32_t>(i);
  if (width == 0) return line;
  std::uint32_t field = 0;
  if (width > 0) {
    field = window_at(words, index * static_cast<std::uint32_t>(width)) & ~(~0u << width);
  } else {
    const auto from = std::bit_cast<std::uint32_t>(head[at]);
    field = window_at(words, from + index * (from | ~31u)) >> from % 32;
  }
  return line + static_cast<std::int32_t>(field);
}

std::optional<PackedArray> pack(const std::vector<std::int32_t>& entries, int chunk,
                                std::int32_t slope, Widths widths) {
  const auto size = chunk > 0 ? static_cast<std::size_t>(chunk) : std::max(entries.size(), 1ul);
  return pack_entries({chunk, slope, widths, line_ranges(entries, size, slope)}, entries);
}

std::optional<PackedArray> pack_best(const std::vector<std::int32_t>& entries) {
  std::int64_t fewest = too_many;
  Way best;
  const auto count = static_cast<std::int64_t>(entries.size());
  for (const std::int32_t slope : find_slopes(entries)) {
    if (!fits(slope, entries.size())) continue;
    ChunkRanges ranges(entries, slope);
    std::optional<int> best_chunk;
    for (const int chunk : chunks) {
      const std::int64_t equal = bytes_of_equal(ranges.of(chunk), count);
      const std::int64_t own = chunk > 0 ? bytes_of_own(ranges.of(chunk), count, chunk) : too_many;
      if (std::min(equal, own) >= fewest) continue;
      fewest = std::min(equal, own);
      best_chunk = chunk;
      best.widths = own < equal ? Widths::own : Widths::equal;
    }
    if (!best_chunk) continue;
    best = {*best_chunk, slope, best.widths, std::move(ranges.of(*best_chunk))};
  }
  if (fewest == too_many) return std::nullopt;
  return pack_entries(best, entries);
}

}  // namespace alphasparse
