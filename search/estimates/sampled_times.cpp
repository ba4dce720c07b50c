#include "search/estimates/sampled_times.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "operators/parameter_grid.h"

namespace alphasparse {

namespace {

constexpr int of_a_structure = 2;
constexpr int near_of_a_structure = 6;   // near the fastest, behind two of each
constexpr double near_ratio = 1.25;      // over the fastest: samples put such designs in any order
constexpr double named_ratio_max = 2;    // over the fastest of a sample's
constexpr double fixed_share_max = 0.9;  // of a time on a sample: noise alone has more

using DesignTimes = std::map<CanonicalDesign, double>;

/// The time of so many non-zeros, where those of fewer are known.
double extrapolated_us(const std::map<std::int64_t, double>& us_by_nnz, std::int64_t nnz) {
  const auto [large, large_us] = *us_by_nnz.rbegin();
  double fixed_us = 0;
  if (us_by_nnz.size() > 1) {
    const auto [small, small_us] = *std::next(us_by_nnz.rbegin());
    const double us_each = (large_us - small_us) / static_cast<double>(large - small);
    fixed_us = std::clamp(large_us - us_each * static_cast<double>(large), 0.0,
                          fixed_share_max * large_us);
  }
  const double times = static_cast<double>(nnz) / static_cast<double>(large);
  return fixed_us + (large_us - fixed_us) * times;
}

/// The designs of `of` with a time, the fastest first.
std::vector<std::pair<double, CanonicalDesign>> fastest_first(const DesignTimes& us,
                                                              const Designs& of) {
  std::vector<std::pair<double, CanonicalDesign>> all;
  for (const CanonicalDesign& design : of) {
    if (const auto known = us.find(design); known != us.end())
      all.emplace_back(known->second, design);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}

bool contains(const Designs& designs, const CanonicalDesign& design) {
  return std::find(designs.begin(), designs.end(), design) != designs.end();
}

bool splits_diagonals(const Design& design) {
  bool splits = false;
  for_each_step(design, [&](const Step& step) { splits = splits || step.op == "diagonal_peel"; });
  return splits;
}

}  // namespace

void SampledTimes::add(const Outcomes& outcomes, KnownDesigns& known, std::int64_t nnz) {
  for (const auto& [text, outcome] : outcomes) {
    if (!outcome.timing) continue;
    // Other work on the machine disturbs the shortest run least.
    const double us = outcome.timing->time_us_min.value_or(outcome.timing->time_us);
    if (const CanonicalDesign* const design = known.find(text)) add(*design, nnz, us);
  }
}

DesignTimes SampledTimes::whole_us() const {
  DesignTimes us;
  for (const auto& [design, us_by_nnz] : times_)
    us.emplace(design, extrapolated_us(us_by_nnz, whole_nnz_));
  return us;
}

bool SampledTimes::knows_fixed_part(const CanonicalDesign& design) const {
  const auto known = times_.find(design);
  return known != times_.end() && (known->second.size() > 1 || known->second.contains(whole_nnz_));
}

Designs promoted_designs(const Outcomes& outcomes, KnownDesigns& known, const DesignTimes& whole_us,
                         std::size_t count, const Designs& named) {
  Designs timed;
  for (const Measurement* const outcome : sort_by_time(outcomes)) {
    if (const CanonicalDesign* const design = known.find(outcome->design)) timed.push_back(*design);
  }
  const auto in_order = fastest_first(whole_us, timed);
  Designs chosen, further, far;
  std::map<std::string, int> of_structure;
  for (const auto& [us, design] : in_order) {
    const int rank = ++of_structure[design.structure()];
    const bool is_near = us <= near_ratio * in_order.front().first;
    if (rank <= of_a_structure)
      (is_near ? chosen : far).push_back(design);
    else if (is_near && rank <= near_of_a_structure)
      further.push_back(design);
  }
  chosen.insert(chosen.end(), further.begin(), further.end());
  chosen.insert(chosen.end(), far.begin(), far.end());
  if (chosen.size() > count) chosen.erase(chosen.begin() + std::ptrdiff_t(count), chosen.end());
  const auto baseline = std::find_if(in_order.begin(), in_order.end(), [&](const auto& entry) {
    return contains(named, entry.second);
  });
  if (baseline == in_order.end()) return chosen;
  std::erase(chosen, baseline->second);
  chosen.insert(chosen.begin(), baseline->second);
  if (chosen.size() > count) chosen.pop_back();
  return chosen;
}

Designs near_named(const DesignTimes& whole_us, const Designs& named) {
  Designs near;
  const auto timed = fastest_first(whole_us, named);
  for (const auto& [us, design] : timed) {
    if (us <= near_ratio * timed.front().first) near.push_back(design);
  }
  return near;
}

Designs interleave(const Designs& a, const Designs& b) {
  Designs designs;
  const auto add = [&](const Designs& from, std::size_t i) {
    if (i < from.size() && !contains(designs, from[i])) designs.push_back(from[i]);
  };
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    add(a, i);
    add(b, i);
  }
  return designs;
}

std::size_t put_forward(const Designs& designs, std::size_t rank, std::size_t step,
                        Designs& promoted) {
  for (const CanonicalDesign& design : designs) {
    const auto known = std::find(promoted.begin(), promoted.end(), design);
    const std::size_t wanted = std::min(rank, promoted.size());
    if (known < promoted.begin() + static_cast<std::ptrdiff_t>(wanted)) continue;
    if (known != promoted.end()) promoted.erase(known);
    promoted.insert(promoted.begin() + static_cast<std::ptrdiff_t>(wanted), design);
    rank += step;
  }
  return rank;
}

Designs designs_to_time_again(const Designs& promoted, const DesignTimes& whole_us,
                              const Designs& named) {
  Designs timed;
  for (const auto& [us, design] : fastest_first(whole_us, named)) timed.push_back(design);
  return interleave(timed, promoted);
}

Designs named_to_try(const SampledTimes& times, const Designs& named, const Designs& promoted,
                     bool fixed_parts_count) {
  const DesignTimes whole_us = times.whole_us();
  double fastest_us = std::numeric_limits<double>::infinity();
  for (const auto& [design, us] : whole_us) fastest_us = std::min(fastest_us, us);
  Designs wanted;
  for (const CanonicalDesign& design : named) {
    if (contains(promoted, design)) continue;
    const auto known = whole_us.find(design);
    const bool is_known = known != whole_us.end() && !splits_diagonals(design.tree()) &&
                          (!fixed_parts_count || times.knows_fixed_part(design));
    if (!is_known || known->second <= named_ratio_max * fastest_us) wanted.push_back(design);
  }
  return wanted;
}

}  // namespace alphasparse
