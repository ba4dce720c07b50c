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
  const Measurement* const best = best_of(known);
  return std::max(0.0, seconds_ - spent_ - (best ? preparation_seconds(*best) : 0));
}

bool VendorShare::has_room(const Outcomes& known) const {
  return best_of(known) == nullptr || longest_seconds(known) < seconds_left(known);
}

std::vector<std::string> VendorShare::finalists(const Outcomes& known) const {
  const Measurement* const best = best_of(known);
  if (best == nullptr) return {};
  return {best->design};
}

}  // namespace alphasparse
