#include "tests/support/random_entries.h"

#include <random>

namespace alphasparse {

namespace {

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed), kind_(seed % 7) {
    constexpr std::size_t lengths[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 64, 100, 257, 1000};
    count_ = lengths[below(std::size(lengths))];
  }

  Integers make() {
    Integers entries(count_);
    const std::int64_t a = between(-3, 300), b = between(-1000, 1000), c = between(0, 9);
    const auto period = static_cast<std::int64_t>(2 + below(40));
    const std::int64_t shift = between(0, period - 1);
    const auto tiling = static_cast<std::int64_t>(below(count_ + 1));
    std::int64_t run = b;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count_); ++i) {
      const std::int64_t j = i + shift;
      run = below(5) == 0 ? between(0, 5000) : run + 1;
      const std::int64_t kinds[] = {a * i + b,
                                    a * (j / period) + b,
                                    c * (j % period) + b,
                                    a * (j / period) + c * (j % period) + b,
                                    i < tiling ? b : a * (i - tiling),
                                    run,
                                    between(-(1 << 20), 1 << 30)};
      entries[i] = static_cast<std::int32_t>(kinds[kind_]);
    }
    if (count_ > 0 && below(2) == 0) {
      for (std::size_t misses = below(6); misses > 0; --misses) {
        entries[below(3) == 0 ? count_ - 1 : below(count_)] += static_cast<int>(between(-1, 1));
      }
    }
    return entries;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(below(static_cast<std::size_t>(most - least + 1)));
  }

  std::mt19937_64 random_;
  std::uint64_t kind_;
  std::size_t count_ = 0;
};

}  // namespace

Integers random_entries(std::uint64_t seed) { return Maker(seed).make(); }

}  // namespace alphasparse
