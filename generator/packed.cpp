#include "generator/packed.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "generator/coding.h"

namespace alphasparse {

namespace {

/// Those that are decoded faster come first: all have one base, then a table of bases.
constexpr int chunks[] = {0, 256, 128, 64, 32};

constexpr std::int64_t too_many = std::numeric_limits<std::int64_t>::max();

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

/// Ranges of entries above a line that begins at 0 with the first of them.
std::vector<Range> ranges_of(const std::vector<std::int32_t>& entries, std::size_t size,
                             std::int64_t slope) {
  std::vector<Range> ranges;
  for (std::size_t first = 0; first < entries.size(); first += size) {
    Range& range = ranges.emplace_back();
    for (std::size_t i = first; i < std::min(entries.size(), first + size); ++i) {
      range.add(entries[i] - slope * static_cast<std::int64_t>(i - first));
    }
  }
  return ranges;
}

/// The same of `many` times as many entries.
std::vector<Range> joined(const std::vector<Range>& ranges, std::size_t many, std::int64_t line) {
  std::vector<Range> all;
  for (std::size_t first = 0; first < ranges.size(); first += many) {
    Range& range = all.emplace_back();
    for (std::size_t i = first; i < std::min(ranges.size(), first + many); ++i) {
      const std::int64_t above = line * static_cast<std::int64_t>(i - first);
      range.add(ranges[i].least - above);
      range.add(ranges[i].most - above);
    }
  }
  return all;
}

int widest(const std::vector<Range>& ranges) {
  int width = 0;
  for (const Range& range : ranges) width = std::max(width, range.width());
  return width;
}

/// Where chunks of own widths lie: each as near to the one before it as its cut allows.
class Places {
 public:
  /// Bit of the window of the chunk's entry 0.
  std::int64_t add(std::int64_t count, int width) {
    if (width == 0) return zeros(count);
    return window(count, width);
  }
  std::int64_t words() const { return (end_ + 31) / 32; }

 private:
  std::int64_t window(std::int64_t count, int width) {
    const std::int64_t cut = 32 - width;
    const std::int64_t least = std::max(end_, cut) + count * width - 32;
    const std::int64_t first = least + ((cut - least) % 32 + 32) % 32;
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
std::int64_t bytes_of_equal(const std::vector<Range>& ranges, std::int64_t count) {
  const int width = widest(ranges);
  if (width > 31) return too_many;
  const std::int64_t bases = ranges.size() > 1 ? static_cast<std::int64_t>(ranges.size()) : 0;
  return 4 * (bases + (width == 0 ? 0 : (count * width + 31) / 32 + 1));
}

std::int64_t bytes_of_own(const std::vector<Range>& ranges, std::int64_t count, int chunk) {
  if (widest(ranges) > 31) return too_many;
  Places places;
  std::int64_t left = count;
  for (const Range& range : ranges) {
    places.add(std::min<std::int64_t>(left, chunk), range.width());
    left -= chunk;
  }
  return 4 * (2 * static_cast<std::int64_t>(ranges.size()) + places.words());
}

bool fits_int(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

/// Whether kernels may multiply each index by the slope.
bool fits(std::int64_t slope, std::size_t count) {
  return fits_int(slope * static_cast<std::int64_t>(count));
}

void write_field(std::vector<std::uint32_t>& words, std::int64_t bit, std::uint32_t field,
                 int width) {
  if (width == 0) return;
  const auto word = static_cast<std::size_t>(bit / 32);
  const int shift = static_cast<int>(bit % 32);
  words[word] |= field << shift;
  if (shift + width > 32) words[word + 1] |= field >> (32 - shift);
}

/// 32 bits from any bit on.
std::uint32_t window_at(const std::vector<std::uint32_t>& words, std::uint32_t bit) {
  const std::uint64_t both = words[bit / 32] | std::uint64_t{words[bit / 32 + 1]} << 32;
  return static_cast<std::uint32_t>(both >> bit % 32);
}

/// Puts heads and words into an array that has all else.
class Packing {
 public:
  Packing(const std::vector<std::int32_t>& entries, PackedArray& packed)
      : entries_(entries), packed_(packed), size_(packed.chunk > 0 ? packed.chunk : count()) {}

  /// False where there are too many bits.
  bool with_width(int width) {
    packed_.width = width;
    if (count() * width > too_many_bits) return false;
    if (width == 0) return true;
    packed_.words.resize(static_cast<std::size_t>((count() * width + 31) / 32 + 1));
    for (std::int64_t i = 0; i < count(); ++i) {
      write_field(packed_.words, i * width, field(i), width);
    }
    return true;
  }

  bool with_heads(const std::vector<Range>& ranges) {
    Places places;
    for (std::size_t at = 0; at < ranges.size(); ++at) {
      const std::int64_t first = static_cast<std::int64_t>(at) * size_;
      const std::int64_t end = std::min(count(), first + size_);
      const int width = ranges[at].width(), least = std::max(width, 1);
      const std::int64_t window = places.add(end - first, width);
      if (window > too_many_bits) return false;
      packed_.words.resize(static_cast<std::size_t>(places.words()));
      packed_.head.push_back(
          std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(window + first * least)));
      for (std::int64_t i = first; i < end; ++i) {
        const std::int64_t bit = window - (i - first) * least + 32 - least;
        write_field(packed_.words, bit, field(i), width);
      }
    }
    return true;
  }

 private:
  static constexpr std::int64_t too_many_bits = (std::int64_t{1} << 32) - 64;

  std::int64_t count() const { return static_cast<std::int64_t>(entries_.size()); }

  std::uint32_t field(std::int64_t i) const {
    const std::int64_t line = packed_.base[static_cast<std::size_t>(i / size_)] + packed_.slope * i;
    return static_cast<std::uint32_t>(entries_[static_cast<std::size_t>(i)] - line);
  }

  const std::vector<std::int32_t>& entries_;
  PackedArray& packed_;
  const std::int64_t size_;
};

/// What is added to the lines; false where a number on the way would be no int.
bool find_bases(const std::vector<Range>& ranges, std::int64_t count, std::int64_t size,
                PackedArray& packed) {
  std::int64_t first = 0;
  for (const Range& range : ranges) {
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

}  // namespace

std::int64_t PackedArray::bytes() const {
  const std::size_t bases = base.size() > 1 ? base.size() : 0;
  return 4 * static_cast<std::int64_t>(bases + head.size() + words.size());
}

std::int32_t PackedArray::entry(std::int64_t i) const {
  const auto at = static_cast<std::size_t>(chunk > 0 ? i / chunk : 0);
  const std::int32_t line = base[at] + slope * static_cast<std::int32_t>(i);
  if (width == 0) return line;
  const auto place = static_cast<std::uint32_t>(i);
  std::uint32_t field = 0;
  if (width > 0) {
    field = window_at(words, place * static_cast<std::uint32_t>(width)) & ~(~0u << width);
  } else {
    const auto from = std::bit_cast<std::uint32_t>(head[at]);
    field = window_at(words, from + place * (from | ~31u)) >> from % 32;
  }
  return line + static_cast<std::int32_t>(field);
}

std::optional<PackedArray> pack(const std::vector<std::int32_t>& entries, int chunk,
                                std::int32_t slope, Widths widths) {
  const auto size = chunk > 0 ? static_cast<std::size_t>(chunk) : std::max(entries.size(), 1ul);
  const std::vector<Range> ranges = ranges_of(entries, size, slope);
  const int width = widest(ranges);
  PackedArray packed;
  packed.chunk = chunk;
  packed.slope = slope;
  const bool has_bases = find_bases(ranges, static_cast<std::int64_t>(entries.size()),
                                    static_cast<std::int64_t>(size), packed);
  if (width > 31 || !fits(slope, entries.size()) || !has_bases) return std::nullopt;
  Packing packing(entries, packed);
  const bool equal = chunk == 0 || widths == Widths::equal;
  if (!(equal ? packing.with_width(width) : packing.with_heads(ranges))) return std::nullopt;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (packed.entry(static_cast<std::int64_t>(i)) != entries[i]) return std::nullopt;
  }
  return packed;
}

std::optional<PackedArray> pack_best(const std::vector<std::int32_t>& entries) {
  struct {
    std::int64_t bytes = too_many;
    int chunk = 0;
    std::int32_t slope = 0;
    Widths widths = Widths::equal;
  } best;
  const auto count = static_cast<std::int64_t>(entries.size());
  for (const std::int32_t slope : slopes_of(entries)) {
    if (!fits(slope, entries.size())) continue;
    const std::vector<Range> of_32 = ranges_of(entries, 32, slope);
    for (const int chunk : chunks) {
      const std::size_t many = chunk > 0 ? chunk / 32 : std::max(of_32.size(), 1ul);
      const std::vector<Range> ranges = joined(of_32, many, std::int64_t{32} * slope);
      const std::int64_t equal = bytes_of_equal(ranges, count);
      const std::int64_t own = chunk > 0 ? bytes_of_own(ranges, count, chunk) : too_many;
      if (equal < best.bytes) best = {equal, chunk, slope, Widths::equal};
      if (own < best.bytes) best = {own, chunk, slope, Widths::own};
    }
  }
  if (best.bytes == too_many) return std::nullopt;
  return pack(entries, best.chunk, best.slope, best.widths);
}

}  // namespace alphasparse
