#include "search/strategies/halving.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "operators/parameter_grid.h"

namespace alphasparse {

namespace {

constexpr std::size_t points_first = 2;
constexpr double gained_share_most = 0.995;  // of a time, where a rung has brought something

std::size_t halve(std::size_t count) { return (count + 1) / 2; }

/// Operators, and parameters as "rows=64".
std::vector<std::string> list_tokens(const CanonicalDesign& design) {
  std::vector<std::string> tokens;
  for_each_step(design.tree(), [&](const Step& step) {
    tokens.push_back(step.op);
    for (const Parameter& given : step.parameters) tokens.push_back(given.name + "=" + given.value);
  });
  return tokens;
}

/// The number behind "rows=" and other names; nothing where it is no number alone.
std::optional<double> parse_number(const std::string& token) {
  const std::size_t equal = token.find('=');
  if (equal == std::string::npos) return std::nullopt;
  double number = 0;
  const char* const end = token.data() + token.size();
  const auto parsed = std::from_chars(token.data() + equal + 1, end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

/// How far two designs of one grid are from each other: doublings of their numbers, and one for
/// each other difference.
double distance(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const auto one = parse_number(a[i]), other = parse_number(b[i]);
    sum += one && other ? std::abs(std::log2((1 + *one) / (1 + *other))) : 1;
  }
  return sum;
}

/// Takes `count` out of a list, at even steps.
Designs take_spread(Designs& from, std::size_t count) {
  count = std::min(count, from.size());
  Designs taken, left;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const bool next =
        taken.size() < count && (2 * taken.size() + 1) * from.size() <= (2 * i + 1) * count;
    (next ? taken : left).push_back(std::move(from[i]));
  }
  from = std::move(left);
  return taken;
}

/// Takes the `count` nearest to a design out of a list, of equally near ones the first.
Designs take_nearest(Designs& from, const CanonicalDesign& design, std::size_t count) {
  const std::vector<std::string> tokens = list_tokens(design);
  std::vector<std::pair<double, CanonicalDesign>> ranked;
  for (CanonicalDesign& other : from) {
    const double differ = distance(tokens, list_tokens(other));
    ranked.emplace_back(differ, std::move(other));
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Designs taken;
  from.clear();
  for (auto& [differ, other] : ranked)
    (taken.size() < count ? taken : from).push_back(std::move(other));
  return taken;
}

}  // namespace

Halving::Halving(KnownDesigns& known, Others variants, Others compacted, Legal legal, double reach)
    : known_(known),
      variants_(std::move(variants)),
      compacted_(std::move(compacted)),
      legal_(std::move(legal)),
      reach_(reach) {}

Designs Halving::next(const Outcomes& outcomes, std::size_t count) {
  Designs designs;
  while (designs.empty()) {
    if (queue_.empty() && !refill(outcomes)) break;
    while (!queue_.empty() && designs.size() < count) {
      CanonicalDesign design = std::move(queue_.front());
      queue_.pop_front();
      if (!outcomes.contains(design.text()))
        designs.push_back(std::move(design));  // no other strategy has tried it
    }
  }
  return designs;
}

/// The best of each structure.
Halving::Standings Halving::standings(const Outcomes& outcomes) {
  Standings best;
  for (const auto& [text, outcome] : outcomes) {
    const CanonicalDesign* const design = is_timed(outcome) ? known_.find(text) : nullptr;
    if (!design) continue;
    const Standing standing{*design, outcome.timing->time_us};
    const auto [of, is_new] = best.try_emplace(design->structure(), standing);
    if (!is_new && standing.time_us < of->second.time_us) of->second = standing;
  }
  return best;
}

/// The next points to try; false where no grid has any.
bool Halving::refill(const Outcomes& outcomes) {
  const Standings best = standings(outcomes);
  while (queue_.empty()) {
    if (!bracket_.empty()) end_rung(best, outcomes);
    if (bracket_.empty() && !begin_bracket(best)) return !queue_.empty();
    begin_rung(best, outcomes);
  }
  return true;
}

/// The better half of all structures with grids that may have something left, but the winners
/// before.
bool Halving::begin_bracket(const Standings& best) {
  for (const bool again : {false, true}) {
    if (again) won_.clear();
    for (const auto& [structure, standing] : best) {
      const auto spent = spent_.find(structure);
      const bool is_spent = spent != spent_.end() && spent->second == standing.design;
      if (!is_spent && !won_.contains(structure)) bracket_.push_back(structure);
    }
    if (!bracket_.empty()) break;
  }
  std::stable_sort(bracket_.begin(), bracket_.end(), [&](const auto& a, const auto& b) {
    return best.at(a).time_us < best.at(b).time_us;
  });
  bracket_.resize(halve(bracket_.size()));
  keep_near(best);
  points_ = points_first;
  if (!bracket_.empty()) leader_us_ = best.at(bracket_.front()).time_us;
  return !bracket_.empty();
}

/// Keeps the structures of a sorted bracket that a grid may make the best, where there are any.
void Halving::keep_near(const Standings& best) {
  double best_us = std::numeric_limits<double>::infinity();
  for (const auto& [structure, standing] : best) best_us = std::min(best_us, standing.time_us);
  const auto far = std::find_if(
      bracket_.begin(), bracket_.end(),
      [&](const std::string& structure) { return best.at(structure).time_us > reach_ * best_us; });
  if (far != bracket_.begin()) bracket_.erase(far, bracket_.end());
}

/// Leaves the better half; of one nothing, unless the rung has made it faster.
void Halving::end_rung(const Standings& best, const Outcomes& outcomes) {
  std::stable_sort(bracket_.begin(), bracket_.end(), [&](const auto& a, const auto& b) {
    return best.at(a).time_us < best.at(b).time_us;
  });
  put(untried(compacted_(best.at(bracket_.front()).design), outcomes));
  if (bracket_.size() > 1) {
    bracket_.resize(halve(bracket_.size()));
    points_ *= 2;
    leader_us_ = best.at(bracket_.front()).time_us;
  } else if (best.at(bracket_.front()).time_us < gained_share_most * leader_us_) {
    leader_us_ = best.at(bracket_.front()).time_us;
  } else {
    won_.insert(bracket_.front());
    bracket_.clear();
  }
}

/// Points for every structure that is still in the bracket. A structure that has none left leaves
/// it.
void Halving::begin_rung(const Standings& best, const Outcomes& outcomes) {
  std::erase_if(bracket_, [&](const std::string& structure) {
    const CanonicalDesign& design = best.at(structure).design;
    Designs grid = untried(variants_(design), outcomes);
    if (grid.empty()) {
      spent_.insert_or_assign(structure, design);
      put(untried(compacted_(design), outcomes));
      return true;
    }
    const std::size_t nearest = points_ > points_first ? points_ / 2 : 0;
    put_legal(nearest, [&](std::size_t count) { return take_nearest(grid, design, count); });
    put_legal(points_ - nearest, [&](std::size_t count) { return take_spread(grid, count); });
    return false;
  });
}

/// Adds `count` legal designs from `take`, where it has so many.
void Halving::put_legal(std::size_t count, const std::function<Designs(std::size_t)>& take) {
  while (count > 0) {
    const Designs taken = take(count);
    if (taken.empty()) return;
    for (const CanonicalDesign& design : taken) {
      if (!legal_(design)) {
        proposed_.insert(design);  // is not asked for again
        continue;
      }
      put({design});
      --count;
    }
  }
}

Designs Halving::untried(Designs designs, const Outcomes& outcomes) const {
  std::erase_if(designs, [&](const CanonicalDesign& design) {
    return outcomes.contains(design.text()) || proposed_.contains(design);
  });
  return designs;
}

void Halving::put(Designs designs) {
  for (CanonicalDesign& design : designs) {
    if (proposed_.insert(design).second) queue_.push_back(std::move(design));
  }
}

}  // namespace alphasparse
