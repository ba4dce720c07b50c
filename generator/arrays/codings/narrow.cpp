// narrow: 8 or 16 bits an entry above a line, or above a line for each chunk.
//
// Example, chunks of 32, step 0: entries 700 703 ... 12 900 15 000 ... have bases 700 and 12 900.
// Their offsets are 0 3 ... 0 2100 ..., which need 16 bits.
#include <fmt/format.h>

#include <algorithm>

#include "base/ranges.h"
#include "generator/arrays/coding.h"
#include "generator/arrays/line_ranges.h"

namespace alphasparse {

namespace {

constexpr int chunk_sizes[] = {0, 32, 64, 128, 256};  // 0: all entries are one

/// Lines of one step, each as low as it can be.
struct Lines {
  std::size_t chunk;  ///< entries of each
  std::int64_t step;
  Integers base;          ///< the value of each chunk's line at entry 0
  std::int64_t most = 0;  ///< the greatest distance of an entry from its line

  int bytes() const { return most < 1 << 8 ? 1 : most < 1 << 16 ? 2 : 4; }
  std::int64_t all_bytes(std::size_t count) const {
    const bool many = base.size() > 1;
    return static_cast<std::int64_t>(count) * bytes() +
           (many ? 4 * static_cast<std::int64_t>(base.size()) : 0);
  }
};

/// Nothing where a number on a line is no int.
std::optional<Lines> fit_lines(const std::vector<LineRange>& ranges, std::size_t count,
                               std::size_t chunk, std::int64_t step) {
  Lines lines{chunk, step, {}};
  lines.base.reserve(ranges.size());
  std::size_t first = 0;
  for (const auto& [least, most] : ranges) {
    const std::size_t end = std::min(count, first + chunk);
    const std::int64_t last = least + step * static_cast<std::int64_t>(end - 1 - first);
    const std::int64_t base = least - step * static_cast<std::int64_t>(first);
    if (std::max({std::abs(least), std::abs(last), std::abs(base), last - base}) > INT32_MAX) {
      return std::nullopt;
    }
    lines.base.push_back(static_cast<std::int32_t>(base));
    lines.most = std::max(lines.most, most - least);
    first += chunk;
  }
  return lines;
}

/// Puts the distance from its line into the place of each entry.
void subtract(const Lines& lines, Integers& entries) {
  for_ranges(static_cast<std::int64_t>(entries.size()), [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      entries[at] =
          static_cast<std::int32_t>(entries[at] - (lines.base[at / lines.chunk] + lines.step * i));
    }
  });
}

/// Those with the fewest bytes.
std::optional<Lines> best_lines(const Integers& entries) {
  std::optional<Lines> best;
  if (entries.empty()) return std::nullopt;
  const std::size_t count = entries.size();
  for (const std::int32_t step : find_slopes(entries)) {
    ChunkRanges ranges(entries, step);
    for (const int size : chunk_sizes) {
      const std::size_t chunk = size > 0 ? static_cast<std::size_t>(size) : count;
      std::optional<Lines> lines = fit_lines(ranges.of(size), count, chunk, step);
      if (!lines || lines->bytes() > 2) continue;
      if (best && lines->all_bytes(count) >= best->all_bytes(count)) continue;
      best = std::move(lines);
    }
  }
  return best;
}

CodedArray make_coded(Lines lines, const std::string& name, Integers entries) {
  const bool whole = lines.base.size() == 1;
  const Expression at = the_index() / constant(static_cast<std::int64_t>(lines.chunk));
  const Expression base = whole ? constant(lines.base.front()) : read_entry(name + "_base", at);
  CodedArray coded;
  coded.how = fmt::format("{} bits above {}", 8 * lines.bytes(),
                          whole ? "a line" : fmt::format("a line for each {}", lines.chunk));
  coded.entry =
      (base + constant(lines.step) * the_index()) + read_entry(name + "_offset", the_index());
  subtract(lines, entries);
  if (!whole) {
    coded.parts.push_back(
        {name + "_base", ElementType::i32, std::move(lines.base), "base of each chunk"});
  }
  coded.parts.push_back({name + "_offset", lines.bytes() == 1 ? ElementType::u8 : ElementType::u16,
                         std::move(entries), "distance of each entry from its line"});
  return coded;
}

}  // namespace

std::optional<CodedArray> narrow_coding(const std::string& name, const Integers& entries) {
  Integers taken = entries;
  return take_narrow_coding(name, taken);
}

std::optional<CodedArray> take_narrow_coding(const std::string& name, Integers& entries) {
  std::optional<Lines> lines = best_lines(entries);
  if (!lines) return std::nullopt;
  return make_coded(std::move(*lines), name, std::move(entries));
}

}  // namespace alphasparse
