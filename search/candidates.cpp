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

/// Of several, at least one.
std::vector<std::string>::iterator fastest_of(std::vector<std::string>& designs,
                                              const Outcomes& outcomes) {
  return std::min_element(designs.begin(), designs.end(), [&](const auto& a, const auto& b) {
    return rank_us(outcomes, a) < rank_us(outcomes, b);
  });
}

}  // namespace

Candidates::Candidates(std::vector<std::string> first, Others variants, Others compacted)
    : queue_(first.begin(), first.end()),
      roots_(std::move(first)),
      variants_(std::move(variants)),
      compacted_(std::move(compacted)) {}

std::vector<std::string> Candidates::next(const Outcomes& outcomes, std::size_t count) {
  std::vector<std::string> designs;
  while (designs.empty()) {
    if (queue_.empty() && !refill(outcomes)) break;
    while (!queue_.empty() && designs.size() < count) {
      std::string design = std::move(queue_.front());
      queue_.pop_front();
      const bool twice = std::find(designs.begin(), designs.end(), design) != designs.end();
      if (!twice && !outcomes.contains(design)) designs.push_back(std::move(design));
    }
  }
  return designs;
}

/// What follows from the last queue; false at the end.
bool Candidates::refill(const Outcomes& outcomes) {
  if (!grid_.empty()) {
    const std::string best = *fastest_of(grid_, outcomes);
    grid_.clear();
    if (rank_us(outcomes, best) < std::numeric_limits<double>::infinity()) put(compacted_(best));
    return true;
  }
  if (roots_.empty()) return false;
  const auto fastest = fastest_of(roots_, outcomes);
  grid_ = variants_(*fastest);
  put(grid_);
  grid_.push_back(*fastest);
  roots_.erase(fastest);
  return true;
}

void Candidates::put(std::vector<std::string> designs) {
  for (std::string& design : designs) queue_.push_back(std::move(design));
}

}  // namespace alphasparse
