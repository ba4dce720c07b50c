#include "base/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace alphasparse {

std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> before_last, last(other.size() + 1), row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t changed = last[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
      const bool are_swapped =
          i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
      if (are_swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[other.size()];
}

std::string nearest_name(std::string_view text, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 64;  // a longer word is no misspelt name
  if (text.size() > longest) return "";
  std::string nearest;
  std::size_t least = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(text, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

std::string did_you_mean(std::string_view text, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(text, names);
  return nearest.empty() || nearest == text ? "" : fmt::format(" (did you mean {}?)", nearest);
}

std::string unknown_name(std::string_view what, std::string_view text,
                         const std::vector<std::string>& names) {
  return fmt::format("no {} is called '{}'{}; there are {}", what, text, did_you_mean(text, names),
                     fmt::join(names, ", "));
}

}  // namespace alphasparse
