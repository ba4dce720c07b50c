#include <algorithm>

#include "generator/arrays/model_kinds.h"

namespace alphasparse {

namespace {

constexpr std::size_t sample_size = 4096;

}  // namespace

std::int64_t most_frequent(std::vector<std::int64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::int64_t best = 0;
  std::ptrdiff_t times = 0;
  for (auto first = numbers.begin(); first != numbers.end();) {
    const auto end = std::upper_bound(first, numbers.end(), *first);
    if (end - first > times) {
      times = end - first;
      best = *first;
    }
    first = end;
  }
  return best;
}

std::int64_t usual_step(const Integers& entries) {
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < std::min(entries.size(), sample_size); ++i) {
    steps.push_back(std::int64_t{entries[i]} - entries[i - 1]);
  }
  return most_frequent(std::move(steps));
}

Expression set_level(const Expression& entry, const Integers& entries) {
  std::vector<std::int64_t> offsets;
  const std::size_t stride = entries.size() / sample_size + 1;
  for (std::size_t i = 0; i < entries.size(); i += stride) {
    if (const auto number = value(entry, static_cast<std::int64_t>(i))) {
      offsets.push_back(entries[i] - *number);
    }
  }
  return entry + constant(most_frequent(std::move(offsets)));
}

}  // namespace alphasparse
