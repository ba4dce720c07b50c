// entry_checks: whether the entries of an array lie in its range.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "templates/host/safetensors.h"

namespace alphasparse::host {

inline std::string entry_text(const std::string& name, std::int64_t i) {
  return name + "[" + std::to_string(i) + "]";
}

inline void check_range(const std::string& name, std::int64_t i, std::int64_t entry,
                        std::int64_t least, std::int64_t most) {
  if (entry >= least && entry <= most) return;
  throw BadFile(entry_text(name, i) + " is " + std::to_string(entry) + ", outside " +
                std::to_string(least) + " to " + std::to_string(most));
}

/// Checks the entries of a stored array of integers: each lies in [least, most] and, where they
/// ascend, none is below the entry before it. Throws BadFile, which names the first wrong one.
template <class T>
void check_stored(const std::string& name, const std::vector<unsigned char>& bytes,
                  std::int64_t least, std::int64_t most, bool ascending) {
  const auto stored = [&](std::int64_t i) {
    T entry;
    std::memcpy(&entry, bytes.data() + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return static_cast<std::int64_t>(entry);
  };
  const auto count = static_cast<std::int64_t>(bytes.size() / sizeof(T));
  constexpr std::int64_t together = 1024;  // in loops without a branch
  for (std::int64_t first = 0; first < count; first += together) {
    const std::int64_t end = std::min(count, first + together);
    bool is_wrong = false;
    for (std::int64_t i = first; i < end; ++i) is_wrong |= stored(i) < least || stored(i) > most;
    for (std::int64_t i = std::max<std::int64_t>(first, 1); ascending && i < end; ++i)
      is_wrong |= stored(i) < stored(i - 1);
    for (std::int64_t i = first; is_wrong && i < end; ++i) {
      check_range(name, i, stored(i), least, most);
      if (ascending && i > 0 && stored(i) < stored(i - 1))
        throw BadFile(entry_text(name, i) + " is below the entry before it");
    }
  }
}

}  // namespace alphasparse::host
