#include "search/candidates.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace alphasparse {

namespace {

/// The time that ranks a design; those without a verified one come last.
double rank_us(const Outcomes& outcomes, const std::string& design) {
  const auto found = outcomes.find(design);
  if (found == outcomes.end() || !found->second.verified || !found->second.timing)
    return std::numeric_limits<double>::infinity();
  return found->second.timing->time_us;
}

}  // namespace

Candidates::Candidates(std::vector<std::string> first,
                       std::function<std::vector<std::string>(const std::string&)> variants)
    : queue_(first.begin(), first.end()),
      roots_(std::move(first)),
      variants_(std::move(variants)) {}

std::optional<std::string> Candidates::next(const Outcomes& outcomes) {
  while (queue_.empty()) {
    if (roots_.empty()) return std::nullopt;
    const auto fastest = std::min_element(
        roots_.begin(), roots_.end(),
        [&](const auto& a, const auto& b) { return rank_us(outcomes, a) < rank_us(outcomes, b); });
    for (std::string& variant : variants_(*fastest)) queue_.push_back(std::move(variant));
    roots_.erase(fastest);
  }
  std::string design = std::move(queue_.front());
  queue_.pop_front();
  return design;
}

}  // namespace alphasparse
