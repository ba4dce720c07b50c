// mean: means of those numbers that are there.
#pragma once
#include <cmath>
#include <cstdint>
#include <optional>

namespace alphasparse {

/// Arithmetic mean; nothing where nothing was added.
class Mean {
 public:
  void add(const std::optional<double>& value) {
    sum_ += value.value_or(0);
    count_ += value.has_value();
  }

  std::optional<double> value() const {
    if (count_ == 0) return std::nullopt;
    return sum_ / static_cast<double>(count_);
  }

 private:
  double sum_ = 0;
  std::int64_t count_ = 0;
};

/// The geometric mean of positive numbers; nothing where nothing was added.
class GeometricMean {
 public:
  void add(const std::optional<double>& value) {
    if (value) logs_.add(std::log(*value));
  }

  std::optional<double> value() const {
    const std::optional<double> log = logs_.value();
    return log ? std::optional(std::exp(*log)) : std::nullopt;
  }

 private:
  Mean logs_;
};

}  // namespace alphasparse
