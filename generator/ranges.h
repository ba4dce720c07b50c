// ranges: the same work on every part of a long sequence, by all cores.
//
// Arrays of large matrices are made entry by entry, and no entry waits for another. Short sequences
// are one range, done by the calling thread: where many matrices are small, their designs are built
// side by side instead.
#pragma once
#include <cstdint>
#include <functional>

namespace alphasparse {

/// Fewer than so many are not worth a thread.
inline constexpr std::int64_t range_least = 1 << 18;

/// How many of `count` things that have so many entries together have as many as are worth a
/// thread.
inline std::int64_t items_least(std::int64_t count, std::int64_t entries) {
  return entries <= 0 ? count + 1 : 1 + range_least * count / entries;
}

/// Calls work(first, end) for ranges that together are [0, count), each in a thread of its own and
/// none shorter than `least`, unless it is all; returns when all have been done. What `work` throws
/// is thrown here, of several throws one.
void for_ranges(std::int64_t count,
                const std::function<void(std::int64_t first, std::int64_t end)>& work,
                std::int64_t least = range_least);

}  // namespace alphasparse
