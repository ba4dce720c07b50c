#include "search/strategies/grid_moves.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "operators/catalogue.h"

namespace alphasparse {

namespace {

constexpr std::size_t changed_on_average = 2;
constexpr std::size_t steps_near = 2;
constexpr double tie = 0.01;                 // of a time
constexpr std::ptrdiff_t plateau_least = 2;  // designs on it beside the base

struct Known {
  const Measurement* outcome;
  const CanonicalDesign& design;

  double time_us() const { return outcome->timing->time_us; }
};

/// Fastest first, then by text. A line that is no design of the catalogue is left out.
std::vector<Known> timed(const Outcomes& outcomes, KnownDesigns& known) {
  std::vector<Known> all;
  for (const Measurement* const outcome : sort_by_time(outcomes)) {
    if (const CanonicalDesign* const design = known.find(outcome->design))
      all.push_back({outcome, *design});
  }
  return all;
}

std::vector<const Step*> list_steps(const Design& design) {
  std::vector<const Step*> steps;
  for_each_step(design, [&](const Step& step) { steps.push_back(&step); });
  return steps;
}

std::string find_value(const Step& step, std::string_view parameter) {
  for (const Parameter& given : step.parameters) {
    if (given.name == parameter) return given.value;
  }
  return "";
}

/// Whether two designs of one structure differ in this axis alone, and in parameters that follow
/// from it.
bool differ_in(const std::vector<const Step*>& a, const std::vector<const Step*>& b,
               const FineAxis& axis) {
  bool in_axis = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const ParameterSpec& spec : find_operator(a[i]->op)->parameters) {
      if (spec.times_next != 0 || find_value(*a[i], spec.name) == find_value(*b[i], spec.name))
        continue;
      if (i != axis.step || spec.name != axis.parameter) return false;
      in_axis = true;
    }
  }
  return in_axis;
}

/// Takes the axes out along which several designs take as long as the base. The rest of a plateau
/// would take the places of a whole search.
void leave_out_plateaus(GridBase& base, const Known& known, const std::vector<Known>& all) {
  const std::vector<const Step*> own = list_steps(base.design.tree());
  std::vector<std::vector<const Step*>> alike;
  for (const Known& other : all) {
    const bool as_long = std::abs(other.time_us() / known.time_us() - 1) < tie;
    const bool is_like = &other != &known && other.design.structure() == known.design.structure();
    if (as_long && is_like) alike.push_back(list_steps(other.design.tree()));
  }
  std::erase_if(base.axes, [&](const FineAxis& axis) {
    const auto along = std::count_if(alike.begin(), alike.end(), [&](const auto& other) {
      return other.size() == own.size() && differ_in(own, other, axis);
    });
    return along >= plateau_least;
  });
}

std::size_t near_value(const FineAxis& axis, Random& random) {
  const std::size_t low = axis.own - std::min(axis.own, steps_near);
  const std::size_t high = std::min(axis.values.size() - 1, axis.own + steps_near);
  return low + random.below(high - low + 1);
}

}  // namespace

GridBases grid_bases(const Outcomes& outcomes, KnownDesigns& known, const RowFacts& rows,
                     std::size_t fastest, std::size_t best) {
  GridBases bases;
  std::set<std::string> structures;
  std::set<CanonicalDesign> designs;
  const std::vector<Known> order = timed(outcomes, known);
  const auto find_base = [&](const Known& of) {
    GridBase base{of.design, fine_axes(of.design.tree(), rows)};
    leave_out_plateaus(base, of, order);
    return base;
  };
  for (std::size_t i = 0; i < std::min(fastest, order.size()); ++i) {
    bases.best.push_back(find_base(order[i]));
    designs.insert(order[i].design);
  }
  for (const Known& of : order) {
    if (!structures.insert(of.design.structure()).second) continue;
    bases.structures.push_back(find_base(of));
    if (bases.best.size() < best && designs.insert(of.design).second) {
      bases.best.push_back(bases.structures.back());
    }
  }
  return bases;
}

Designs change_one(const GridBase& base) {
  Designs designs;
  for (const FineAxis& axis : base.axes) {
    for (std::size_t value = 0; value < axis.values.size(); ++value) {
      if (value == axis.own) continue;
      const FineChoice choice{&axis, value};
      designs.push_back(make_design(base.design.tree(), {&choice, 1}));
    }
  }
  return designs;
}

CanonicalDesign several_changed(const GridBase& base, Random& random) {
  if (base.axes.empty()) return base.design;
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
  return make_design(base.design.tree(), choices);
}

CanonicalDesign all_drawn(const GridBase& base, Random& random) {
  std::vector<FineChoice> choices;
  for (const FineAxis& axis : base.axes) {
    choices.push_back({&axis, random.below(axis.values.size())});
  }
  return make_design(base.design.tree(), choices);
}

}  // namespace alphasparse
