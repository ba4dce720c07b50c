#include "search/trial/vendor_share.h"

#include <algorithm>

namespace alphasparse {

namespace {

constexpr double share = 0.2;  // of the search

/// What preparing it once more takes.
double preparation_seconds(const Measurement& outcome) {
  return 1e-6 * (std::max(0.0, outcome.convert_us) + std::max(0.0, outcome.load_us));
}

double longest_seconds(const Outcomes& known) {
  double longest = 0;
  for (const auto& [name, outcome] : known) longest = std::max(longest, 1e-6 * outcome.trial_us);
  return longest;
}

}  // namespace

VendorShare::VendorShare(double seconds) : seconds_(share * std::max(0.0, seconds)) {}

double VendorShare::seconds_left(const Outcomes& known) const {
  double seconds = seconds_ - spent_;
  for (const std::string& name : finalists(known)) {
    seconds -= preparation_seconds(known.find(name)->second);
  }
  return std::max(0.0, seconds);
}

bool VendorShare::has_room(const Outcomes& known) const {
  return best_of(known) == nullptr || longest_seconds(known) < seconds_left(known);
}

std::vector<std::string> VendorShare::finalists(const Outcomes& known) const {
  const Measurement* const best = best_of(known);
  if (best == nullptr) return {};
  std::vector<std::string> names = {best->design};
  double seconds = spent_ + preparation_seconds(*best);
  for (const Measurement* const other : by_time(known)) {
    if (other->design == best->design) continue;
    seconds += preparation_seconds(*other);
    if (seconds <= seconds_) names.push_back(other->design);
    break;
  }
  return names;
}

}  // namespace alphasparse
