#include "search/structure/grids.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "operators/catalogue.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

/// Parts, sides of blocks: integers that have neither a grid nor a default.
constexpr std::int64_t small_numbers[] = {2, 4, 3, 8, 1, 6};

std::vector<std::string> texts(const std::vector<std::int64_t>& numbers,
                               const ParameterSpec& spec) {
  std::vector<std::string> values;
  for (const std::int64_t number : numbers) {
    const std::string text = std::to_string(number);
    const bool in_range = number >= spec.least && number <= spec.most;
    if (in_range && std::find(values.begin(), values.end(), text) == values.end()) {
      values.push_back(text);
    }
  }
  return values;
}

bool opens_threads(const Operator& op) {
  return std::any_of(op.provided.begin(), op.provided.end(),
                     [](Key key) { return key.level == Level::thread; });
}

std::vector<std::int64_t> list_numbers(const ParameterSpec& spec, const RowFacts& rows,
                                       Target target) {
  std::vector<std::int64_t> numbers;
  if (const CoarseGrid coarse = get_coarse(spec, target)) numbers = coarse(rows);
  if (spec.coarse && spec.one_stays && spec.least == 1) numbers.push_back(1);
  return numbers;
}

/// A parameter that is tied to the same one of a thread level takes that one's values, so many
/// times.
std::vector<std::int64_t> tied_numbers(const ParameterSpec& tied, const RowFacts& rows,
                                       Target target) {
  std::vector<std::int64_t> numbers;
  for (const Operator* op : catalogue()) {
    if (!opens_threads(*op)) continue;
    for (const ParameterSpec& spec : op->parameters) {
      if (spec.name != tied.name || spec.one_of || spec.times_next != 0) continue;
      for (const std::int64_t number : list_numbers(spec, rows, target)) {
        numbers.push_back(tied.times_next * number);
      }
    }
  }
  return numbers;
}

/// Where to cut the row lengths into classes. Every cut leaves shorter rows and longer ones.
std::vector<std::string> length_bounds(const Store& store, const ParameterSpec& spec,
                                       std::size_t bounds_max) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  std::vector<std::int32_t> lengths;
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    lengths.push_back(first[row + 1] - first[row]);
  }
  if (lengths.empty()) return {};
  std::sort(lengths.begin(), lengths.end());
  const auto above = [&](std::size_t percent) -> std::int64_t {
    return lengths[(lengths.size() - 1) * percent / 100] + 1;
  };
  const auto mean = static_cast<std::int64_t>(store.row_facts().length_mean);
  const std::vector<std::vector<std::int64_t>> strategies = {
      {32},                                // as long as a warp is wide
      {above(90)},                         // the few long rows
      {above(50), above(95)},              // short, usual, long
      {4 * mean + 1},                      // rows that the mean says nothing about
      {above(99)},                         // giants
      {3, 9, 33},                          // a thread, a few lanes, a warp (ACSR's bins)
      {17, 257},                           // lanes, a warp, a block
      {above(25), above(50), above(75)}};  // as many rows a bin
  std::vector<std::string> values;
  for (const std::vector<std::int64_t>& bounds : strategies) {
    std::set<std::int64_t> inside;
    for (const std::int64_t bound : bounds) {
      if (bound >= spec.least && bound > lengths.front() && bound <= lengths.back())
        inside.insert(bound);
    }
    if (inside.empty() || inside.size() > bounds_max) continue;
    std::string text = fmt::format("{}", fmt::join(inside, ","));
    if (std::find(values.begin(), values.end(), text) == values.end()) {
      values.push_back(std::move(text));
    }
  }
  return values;
}

/// A default is kept three times out of four; without one, the first are more promising.
const std::string& pick(const std::vector<std::string>& grid, bool has_fallback, Random& random) {
  if (has_fallback) {
    if (grid.size() == 1 || random.chance(0.75)) return grid.front();
    return grid[1 + random.below(grid.size() - 1)];
  }
  std::vector<double> weights;
  for (std::size_t i = 0; i < grid.size(); ++i) weights.push_back(2 / (2 + static_cast<double>(i)));
  return grid[random.weighted(weights)];
}

}  // namespace

std::vector<std::string> make_grid(const SearchSpace& space, const ParameterSpec& spec,
                                   const Store& store) {
  const RowFacts& rows = store.row_facts();
  std::vector<std::string> values;
  if (!spec.fallback.empty()) values.emplace_back(spec.fallback);
  if (!spec.modelled && !space.limits.unmodelled) return values;
  static const ParameterSpec* const passes = find_parameter(*find_operator("launch"), "columns");
  if (&spec == passes && space.limits.vectors == 1) return values;
  if (spec.is_list) {
    return length_bounds(store, spec, static_cast<std::size_t>(space.limits.branches_max) - 1);
  }
  if (spec.name == "threads" && store.launch.tile_threads != 0) {
    return texts({store.launch.tile_threads}, spec);
  }
  const bool searched = get_coarse(spec, store.target()) || spec.most == 0 || spec.fallback.empty();
  if (!searched) return values;
  for (const std::string_view choice : list_choices(spec, store.target())) {
    if (choice != spec.fallback) values.emplace_back(choice);
  }
  std::vector<std::int64_t> numbers = list_numbers(spec, rows, store.target());
  if (spec.times_next != 0) numbers = tied_numbers(spec, rows, store.target());
  if (numbers.empty() && spec.most != 0 && spec.fallback.empty()) {
    numbers.assign(std::begin(small_numbers), std::end(small_numbers));
  }
  for (std::string& text : texts(numbers, spec)) values.push_back(std::move(text));
  return values;
}

std::optional<Step> random_step(const SearchSpace& space, const Operator& op, const Store& store,
                                Random& random) {
  Step step{std::string(op.name), {}, {}};
  std::vector<const ParameterSpec*> alternatives;
  for (const ParameterSpec& spec : op.parameters) {
    if (spec.one_of && is_for(spec, store.target())) alternatives.push_back(&spec);
  }
  const ParameterSpec* chosen = nullptr;
  if (alternatives.size() == 1) chosen = alternatives.front();
  if (alternatives.size() > 1) {  // the first of them is the usual one
    std::vector<double> weights(alternatives.size(), 1);
    weights.front() = 2;
    chosen = alternatives[random.weighted(weights)];
  }
  for (const ParameterSpec& spec : op.parameters) {
    if ((spec.one_of && &spec != chosen) || !is_for(spec, store.target())) continue;
    const std::vector<std::string> grid = make_grid(space, spec, store);
    if (grid.empty()) return std::nullopt;
    step.parameters.push_back({std::string(spec.name), pick(grid, !spec.fallback.empty(), random)});
  }
  if (!op.branches) return step;
  for (int count = 2; count <= space.limits.branches_max; ++count) {
    step.branches.resize(static_cast<std::size_t>(count));
    if (check_arguments(step).ok()) return step;
  }
  return std::nullopt;
}

std::vector<std::string> find_neighbours(const ParameterSpec& spec, const std::string& value,
                                         const std::vector<std::string>& grid) {
  const auto is_number = [&](const std::string& text) {
    return spec.most != 0 && !spec.is_list &&
           std::find(spec.choices.begin(), spec.choices.end(), text) == spec.choices.end();
  };
  std::vector<std::string> values;
  std::optional<std::int64_t> below, above;
  const std::int64_t here = is_number(value) ? std::atoll(value.c_str()) : 0;
  for (const std::string& other : grid) {
    if (other == value) continue;
    if (!is_number(value) || !is_number(other)) {
      values.push_back(other);
      continue;
    }
    const std::int64_t number = std::atoll(other.c_str());
    if (number < here) below = std::max(below.value_or(number), number);
    if (number > here) above = std::min(above.value_or(number), number);
  }
  if (below) values.push_back(std::to_string(*below));
  if (above) values.push_back(std::to_string(*above));
  return values;
}

}  // namespace alphasparse
