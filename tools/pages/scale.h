// scale: where numbers stand on an axis, and which of them are written at it.
#pragma once
#include <string>
#include <vector>

namespace alphasparse {

class Scale {
 public:
  /// A scale for numbers in [low, high] on [from, to]; widened to round numbers. Where `is_log` is
  /// set, numbers that are not above 0 stand at its beginning.
  Scale(double low, double high, bool is_log, double from, double to);

  double at(double number) const;

  /// Ticks, at most about `count` numbers, ascending.
  std::vector<double> ticks(int count) const;

  double from() const { return from_; }
  double to() const { return to_; }

 private:
  double low_, high_;
  bool is_log_;
  double from_, to_;
};

/// "0.5", "2000", "3e+06".
std::string tick_text(double number);

}  // namespace alphasparse
