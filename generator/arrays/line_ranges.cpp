#include "generator/arrays/line_ranges.h"

#include "base/ranges.h"

namespace alphasparse {

namespace {

/// Ranges of `many` times as many entries; a line grows by `rise` from one range to the next.
std::vector<LineRange> joined(const std::vector<LineRange>& ranges, std::size_t many,
                              std::int64_t rise) {
  std::vector<LineRange> all((ranges.size() + many - 1) / many);
  const auto join = [&](std::int64_t begin, std::int64_t end) {
    for (auto at = static_cast<std::size_t>(begin); at < static_cast<std::size_t>(end); ++at) {
      LineRange range;
      const std::size_t first = at * many;
      for (std::size_t i = first; i < std::min(ranges.size(), first + many); ++i) {
        const std::int64_t above = rise * static_cast<std::int64_t>(i - first);
        range.add(ranges[i].least - above);
        range.add(ranges[i].most - above);
      }
      all[at] = range;
    }
  };
  const auto count = static_cast<std::int64_t>(all.size());
  for_ranges(count, join, grain_size(count, static_cast<std::int64_t>(ranges.size())));
  return all;
}

}  // namespace

std::vector<LineRange> line_ranges(const std::vector<std::int32_t>& entries, std::size_t chunk,
                                   std::int64_t slope) {
  const auto count = static_cast<std::int64_t>(entries.size());
  const auto size = static_cast<std::int64_t>(chunk);
  std::vector<LineRange> ranges((entries.size() + chunk - 1) / chunk);
  const auto measure = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin; at < end; ++at) {
      LineRange range;
      const std::int64_t first = at * size, last = std::min(count, first + size);
      for (std::int64_t i = first; i < last; ++i) range.add(entries[i] - slope * (i - first));
      ranges[at] = range;
    }
  };
  const auto chunks = static_cast<std::int64_t>(ranges.size());
  for_ranges(chunks, measure, grain_size(chunks, count));
  return ranges;
}

ChunkRanges::ChunkRanges(const std::vector<std::int32_t>& entries, std::int64_t slope) {
  ranges_[0] = line_ranges(entries, least, slope);
  for (int size = 1; size < sizes; ++size) {
    ranges_[size] = joined(ranges_[size - 1], 2, slope * (least << (size - 1)));
  }
  const std::vector<LineRange>& longest = ranges_.back();
  all_ = joined(longest, std::max<std::size_t>(longest.size(), 1), slope * (least << (sizes - 1)));
}

std::vector<LineRange>& ChunkRanges::of(int chunk) {
  return chunk == 0 ? all_ : ranges_[std::countr_zero(static_cast<unsigned>(chunk / least))];
}

}  // namespace alphasparse
