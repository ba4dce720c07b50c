// ranges: the same work on every part of a long sequence, by all cores.
//
// Arrays of large matrices are made entry by entry, and no entry waits for another. Short sequences
// are one range, done by the calling thread: where many matrices are small, their designs are built
// side by side instead.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace alphasparse {

/// Fewer than so many are not worth a thread.
inline constexpr std::int64_t range_least = 1 << 18;

/// How many of `count` things that have so many entries together have as many as are worth a
/// thread.
inline std::int64_t grain_size(std::int64_t count, std::int64_t entries) {
  return entries <= 0 ? count + 1 : 1 + range_least * count / entries;
}

/// Calls work(first, end) for ranges that together are [0, count), each in a thread of its own and
/// none shorter than `least`, unless it is all; returns when all have ended. If `work` throws, one
/// of its exceptions is thrown here, and some ranges may be left out. Throws TimeOver
/// (time_limit.h) before it begins.
void for_ranges(std::int64_t count,
                const std::function<void(std::int64_t first, std::int64_t end)>& work,
                std::int64_t least = range_least);

/// The results of make(first, end) for such ranges, in their order; empty if `count` is 0.
template <class Make>
auto parts_of_ranges(std::int64_t count, const Make& make, std::int64_t least = range_least) {
  using Part = std::invoke_result_t<Make, std::int64_t, std::int64_t>;
  std::map<std::int64_t, Part> made;  // by where they begin
  std::mutex mutex;
  const auto keep = [&](std::int64_t first, std::int64_t end) {
    Part part = make(first, end);
    const std::lock_guard lock(mutex);
    made.emplace(first, std::move(part));
  };
  for_ranges(count, keep, least);
  std::vector<Part> parts;
  for (auto& [first, part] : made) parts.push_back(std::move(part));
  return parts;
}

/// Joins the entries that each range has appended to an array of its own into one array.
template <class T>
void append_part(std::vector<T>& all, std::vector<T>&& part) {
  if (all.empty()) {
    all = std::move(part);
  } else {
    all.insert(all.end(), part.begin(), part.end());
  }
}

}  // namespace alphasparse
