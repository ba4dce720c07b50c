// seeded: random choices that are the same with every compiler and standard library - the bits of
// std::mt19937_64, which the standard fixes, without std:: distributions.
#pragma once
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace alphasparse {

class Seeded {
 public:
  explicit Seeded(std::uint64_t seed) : engine_(seed) {}

  /// In [0, end), for end in [1, 2^32].
  std::size_t below(std::size_t end) {
    return static_cast<std::size_t>(((engine_() >> 32) * static_cast<std::uint64_t>(end)) >> 32);
  }

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

 private:
  std::mt19937_64 engine_;
};

}  // namespace alphasparse
