#include "search/grid_moves.h"

#include <algorithm>
#include <set>
#include <utility>

#include "operators/catalogue.h"
#include "search/bans.h"

namespace alphasparse {

namespace {

constexpr std::size_t changed_on_average = 2;
constexpr std::size_t steps_near = 2;

/// Fastest first, then by text. A line that is no design of the catalogue is left out.
std::vector<const Measurement*> timed(const Outcomes& outcomes) {
  std::vector<const Measurement*> all;
  for (const auto& [design, outcome] : outcomes) {
    const bool counts = outcome.status == Status::ok && outcome.verified && outcome.timing;
    if (!counts) continue;
    const Result<Design> parsed = parse_design(design);
    if (parsed && canonical_design(*parsed)) all.push_back(&outcome);
  }
  std::stable_sort(all.begin(), all.end(), [](const Measurement* a, const Measurement* b) {
    return a->timing->time_us < b->timing->time_us;
  });
  return all;
}

std::size_t near_value(const FineAxis& axis, Random& random) {
  const std::size_t low = axis.own - std::min(axis.own, steps_near);
  const std::size_t high = std::min(axis.values.size() - 1, axis.own + steps_near);
  return low + random.below(high - low + 1);
}

}  // namespace

GridBase grid_base(const std::string& design, const RowFacts& rows) {
  GridBase base{*canonical_design(*parse_design(design)), {}};
  base.axes = fine_axes(base.design, rows);
  return base;
}

GridBases grid_bases(const Outcomes& outcomes, const RowFacts& rows, std::size_t fastest,
                     std::size_t best) {
  GridBases bases;
  std::set<std::string> structures, texts;
  const std::vector<const Measurement*> order = timed(outcomes);
  for (std::size_t i = 0; i < std::min(fastest, order.size()); ++i) {
    bases.best.push_back(grid_base(order[i]->design, rows));
    texts.insert(order[i]->design);
  }
  for (const Measurement* measurement : order) {
    if (!structures.insert(structure_of(measurement->design)).second) continue;
    bases.structures.push_back(grid_base(measurement->design, rows));
    if (bases.best.size() < best && texts.insert(measurement->design).second) {
      bases.best.push_back(bases.structures.back());
    }
  }
  return bases;
}

std::vector<std::string> one_changed(const GridBase& base) {
  std::vector<std::string> designs;
  for (const FineAxis& axis : base.axes) {
    for (std::size_t value = 0; value < axis.values.size(); ++value) {
      if (value == axis.own) continue;
      const FineChoice choice{&axis, value};
      designs.push_back(design_with(base.design, {&choice, 1}));
    }
  }
  return designs;
}

std::string several_changed(const GridBase& base, Random& random) {
  if (base.axes.empty()) return print_design(base.design);
  std::vector<FineChoice> choices;
  const std::size_t one_in = std::max<std::size_t>(1, base.axes.size() / changed_on_average);
  for (const FineAxis& axis : base.axes) {
    if (!random.once_in(one_in)) continue;
    const std::size_t value =
        random.once_in(2) ? near_value(axis, random) : random.below(axis.values.size());
    choices.push_back({&axis, value});
  }
  if (choices.empty()) {
    const FineAxis& axis = random.one_of(base.axes);
    choices.push_back({&axis, random.below(axis.values.size())});
  }
  return design_with(base.design, choices);
}

std::string all_drawn(const GridBase& base, Random& random) {
  std::vector<FineChoice> choices;
  for (const FineAxis& axis : base.axes) {
    choices.push_back({&axis, random.below(axis.values.size())});
  }
  return design_with(base.design, choices);
}

}  // namespace alphasparse
