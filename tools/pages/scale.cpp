#include "tools/pages/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alphasparse {

namespace {

/// The largest of 1, 2 and 5 times powers of ten that is not above.
double round_down(double number) {
  const double power = std::pow(10, std::floor(std::log10(number) + 1e-9));
  for (const int digit : {5, 2}) {
    if (digit * power <= number * (1 + 1e-9)) return digit * power;
  }
  return power;
}

double round_up(double number) {
  const double below = round_down(number);
  if (below >= number * (1 - 1e-9)) return below;
  const double lead = below / std::pow(10, std::floor(std::log10(below) + 1e-9));
  return below * (lead > 1.5 && lead < 3 ? 2.5 : 2);
}

}  // namespace

Scale::Scale(double low, double high, bool is_log, double from, double to)
    : low_(low), high_(high), is_log_(is_log), from_(from), to_(to) {
  if (is_log_) {
    low_ = round_down(std::max(low_, 1e-12));
    high_ = round_up(std::max(high_, 1.01 * low_));
  } else {
    low_ = std::min(low_, 0.0);
    high_ = high_ > low_ ? high_ : low_ + 1;
  }
}

double Scale::at(double number) const {
  const double share = is_log_ ? std::log(std::max(number, low_) / low_) / std::log(high_ / low_)
                               : (number - low_) / (high_ - low_);
  return from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
}

std::vector<double> Scale::ticks(int count) const {
  std::vector<double> all;
  if (is_log_) {
    for (double tick = low_; tick <= high_ * (1 + 1e-9); tick = round_up(tick * 1.01))
      all.push_back(tick);
    // Powers of ten alone where there are too many.
    if (static_cast<int>(all.size()) > count) {
      std::erase_if(all, [](double tick) {
        const double power = std::log10(tick);
        return std::abs(power - std::round(power)) > 1e-6;
      });
    }
    const std::size_t step = (all.size() + count - 1) / std::max(count, 1);
    std::vector<double> kept;
    for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(step, 1))
      kept.push_back(all[i]);
    return kept;
  }
  const double step = round_up((high_ - low_) / count);
  for (double tick = std::ceil(low_ / step) * step; tick <= high_ + 1e-9 * step; tick += step)
    all.push_back(std::abs(tick) < 1e-9 * step ? 0 : tick);
  return all;
}

std::string tick_text(double number) { return fmt::format("{:.6g}", number); }

}  // namespace alphasparse
