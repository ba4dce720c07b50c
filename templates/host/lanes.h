// lanes: the numbers that a term gives for neighbouring indices, computed together - many times as
// fast as one by one, because what is alike for all of them is computed once.
//
// Example, four lanes of 8 + i / 64 from i = 64 on: i is 64 + lane, i / 64 is 1 for all, and so is
// the sum, 9.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

namespace alphasparse::host {

struct Lanes {
  static constexpr int most = 256;

  explicit Lanes(int lanes) : count(lanes) { numbers[0] = 0; }

  void set(std::int64_t number, std::int64_t difference) {
    first = number;
    step = count == 1 ? 0 : difference;  // so that it is a difference of two ints at most
    spread = false;
  }

  /// From now on `numbers` are valid.
  void spread_out() {
    for (int k = 0; k < count && !spread; ++k) numbers[k] = first + k * step;
    spread = true;
  }

  std::int64_t front() const { return spread ? numbers[0] : first; }
  std::int64_t last() const { return spread ? numbers[count - 1] : first + (count - 1) * step; }
  bool alike() const { return !spread && step == 0; }

  std::int64_t least() const {
    return spread ? *std::min_element(numbers, numbers + count) : std::min(first, last());
  }
  std::int64_t greatest() const {
    return spread ? *std::max_element(numbers, numbers + count) : std::max(first, last());
  }

  /// Whether all are in [low, high].
  bool within(std::int64_t low, std::int64_t high) const {
    if (!spread) return low <= least() && greatest() <= high;
    bool outside = false;
    for (int k = 0; k < count; ++k) outside |= numbers[k] < low || numbers[k] > high;
    return !outside;
  }

  bool are_ints() const {
    return within(std::numeric_limits<std::int32_t>::min(),
                  std::numeric_limits<std::int32_t>::max());
  }

  bool ascend() const {
    bool descends = !spread && step < 0;
    for (int k = 1; k < count && spread; ++k) descends |= numbers[k] < numbers[k - 1];
    return !descends;
  }

  int count;  ///< 1 to most
  bool spread = false;
  std::int64_t first = 0;  ///< where not spread, number k is first + k * step
  std::int64_t step = 0;
  std::int64_t numbers[most];  ///< where spread
};

/// numbers[k] of the result is of(a's, b's).
template <class Of>
void combine(Lanes& a, Lanes& b, Lanes& result, Of of) {
  a.spread_out();
  b.spread_out();
  result.spread = true;
  for (int k = 0; k < result.count; ++k) result.numbers[k] = of(a.numbers[k], b.numbers[k]);
}

inline void add(Lanes& a, Lanes& b, Lanes& sum) {
  if (!a.spread && !b.spread) return sum.set(a.first + b.first, a.step + b.step);
  combine(a, b, sum, [](std::int64_t x, std::int64_t y) { return x + y; });
}

inline void subtract(Lanes& a, Lanes& b, Lanes& difference) {
  if (!a.spread && !b.spread) return difference.set(a.first - b.first, a.step - b.step);
  combine(a, b, difference, [](std::int64_t x, std::int64_t y) { return x - y; });
}

inline void multiply(Lanes& a, Lanes& b, Lanes& product) {
  if (a.alike() && !b.spread) return product.set(a.first * b.first, a.first * b.step);
  if (b.alike() && !a.spread) return product.set(a.first * b.first, a.step * b.first);
  combine(a, b, product, [](std::int64_t x, std::int64_t y) { return x * y; });
}

inline void take_least(Lanes& a, Lanes& b, Lanes& least) {
  if (!a.spread && a.greatest() <= b.least()) return least.set(a.first, a.step);
  if (!b.spread && b.greatest() <= a.least()) return least.set(b.first, b.step);
  combine(a, b, least, [](std::int64_t x, std::int64_t y) { return std::min(x, y); });
}

/// a / b, or a % b, of words of 32 bits; false unless b is alike, and all of them are such words.
inline bool divide(Lanes& a, const Lanes& b, bool remainder, Lanes& result) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  if (!b.alike() || b.first <= 0 || b.first > most || !a.within(0, most)) return false;
  const std::int64_t by = b.first;
  if (!a.spread && a.first / by == a.last() / by) {
    result.set(remainder ? a.first % by : a.first / by, remainder ? a.step : 0);
    return true;
  }
  a.spread_out();
  result.spread = true;
  for (int k = 0; k < result.count; ++k) {
    const auto number = static_cast<std::uint32_t>(a.numbers[k]);
    const auto divisor = static_cast<std::uint32_t>(by);
    result.numbers[k] = remainder ? number % divisor : number / divisor;
  }
  return true;
}

}  // namespace alphasparse::host
