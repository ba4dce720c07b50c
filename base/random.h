// random: random numbers that are the same with every compiler and standard library.
//
// The bits are std::mt19937_64's, which the standard fixes. The numbers made from them are written
// out here, without std:: distributions and without libm's roundings.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace alphasparse {

class Random {
 public:
  /// Streams of one seed have nothing in common.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : engine_(mixed(mixed(seed) + stream)) {}

  std::uint64_t bits() { return engine_(); }

  /// A number in [0, end), for end in [1, 2^32].
  template <class Integer>
  Integer below(Integer end) {
    return static_cast<Integer>(((engine_() >> 32) * static_cast<std::uint64_t>(end)) >> 32);
  }

  /// A number in [0, 1), a multiple of 2^-53.
  double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  /// True once in `times`.
  bool once_in(std::size_t times) { return below(times) == 0; }

  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

  /// `number` rounded down or up, so that it is itself on average.
  std::int64_t round(double number) {
    const double below = std::floor(number);
    return static_cast<std::int64_t>(below) + (fraction() < number - below ? 1 : 0);
  }

  bool chance(double probability) { return fraction() < probability; }

  /// An index, as often as its weight says; weights are not negative, and one is positive.
  std::size_t weighted(const std::vector<double>& weights) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    double at = fraction() * sum;
    std::size_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] <= 0) continue;
      last = i;
      if (at < weights[i]) return i;
      at -= weights[i];
    }
    return last;  // rounding has eaten the rest
  }

 private:
  /// Steele, Lea and Flood's SplitMix64, so that neighbouring seeds are far apart.
  static std::uint64_t mixed(std::uint64_t bits) {
    bits += 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

  std::mt19937_64 engine_;
};

}  // namespace alphasparse
