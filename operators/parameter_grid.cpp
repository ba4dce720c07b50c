#include "operators/parameter_grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "operators/catalogue.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

constexpr std::int64_t per_octave = 4;
constexpr std::int64_t percent_step = 5;

bool is_percent(const ParameterSpec& spec) { return spec.least == 0 && spec.most == 100; }

bool fits(const ParameterSpec& spec, std::int64_t value) {
  if (value < spec.least || value > spec.most || value % spec.multiple != 0) return false;
  return !spec.powers_of_two || std::has_single_bit(static_cast<std::uint64_t>(value));
}

/// 1 2 3, 4 5 6 7, 8 10 12 14, ... from `low` to `high`.
std::vector<std::int64_t> octaves(std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> values;
  for (std::int64_t value = 1, step = 1; value <= high; value += step) {
    if (value == 2 * per_octave * step) step *= 2;
    if (value >= low) values.push_back(value);
  }
  return values;
}

std::optional<std::int64_t> parse_integer(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::optional(std::stoll(text)) : std::nullopt;
}

/// The list with one item moved by up to two values of the octaves, ascending still.
std::vector<std::string> lists_beside(const ParameterSpec& spec,
                                      const std::vector<std::int64_t>& own) {
  std::vector<std::string> lists;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::int64_t low = i == 0 ? spec.least : own[i - 1] + 1;
    const std::int64_t high = i + 1 == own.size() ? 2 * own[i] : own[i + 1] - 1;
    const std::vector<std::int64_t> values = octaves(low, std::min(high, spec.most));
    const auto current = std::lower_bound(values.begin(), values.end(), own[i]) - values.begin();
    const auto count = static_cast<std::ptrdiff_t>(values.size());
    for (std::ptrdiff_t at = std::max<std::ptrdiff_t>(0, current - 2);
         at < std::min(count, current + 3); ++at) {
      std::vector<std::int64_t> list = own;
      list[i] = values[static_cast<std::size_t>(at)];
      if (list != own) lists.push_back(fmt::format("{}", fmt::join(list, ",")));
    }
  }
  return lists;
}

std::vector<std::string> axis_values(const ParameterSpec& spec, const RowFacts& rows,
                                     const Arguments& arguments, Target target) {
  if (spec.is_list) {
    std::vector<std::string> lists = lists_beside(spec, arguments.integers(spec.name));
    lists.push_back(arguments.text(spec.name));
    return lists;
  }
  const std::vector<std::string_view> choices = list_choices(spec, target);
  const std::string& text = arguments.text(spec.name);
  if (spec.most == 0) {
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) return {};
    return {choices.begin(), choices.end()};
  }
  if (!get_coarse(spec, target)) return {};
  const std::optional<std::int64_t> own = parse_integer(text);
  if (spec.one_stays && own == 1) return {};
  std::vector<std::string> values;
  for (const std::int64_t value : fine_values(spec, rows, own.value_or(0), target)) {
    if (!spec.one_stays || value != 1) values.push_back(std::to_string(value));
  }
  values.insert(values.end(), choices.begin(), choices.end());
  return values;
}

}  // namespace

void set_parameter(Step& step, const std::string& name, const std::string& value) {
  for (Parameter& parameter : step.parameters) {
    if (parameter.name != name) continue;
    parameter.value = value;
    return;
  }
  step.parameters.push_back({name, value});
}

void set_tied_parameters(Design& design) {
  for (std::size_t step = 0; step + 1 < design.steps.size(); ++step) {
    for (const ParameterSpec& spec : find_operator(design.steps[step].op)->parameters) {
      if (spec.times_next == 0) continue;
      for (const Parameter& next : design.steps[step + 1].parameters) {
        if (next.name != spec.name) continue;
        set_parameter(design.steps[step], next.name,
                      std::to_string(spec.times_next * std::stoll(next.value)));
      }
    }
  }
  for (Step& step : design.steps) {
    for (Design& branch : step.branches) set_tied_parameters(branch);
  }
}

std::vector<std::int64_t> fine_values(const ParameterSpec& spec, const RowFacts& rows,
                                      std::int64_t own, Target target) {
  if (!get_coarse(spec, target)) return {};
  std::vector<std::int64_t> values = get_coarse(spec, target)(rows);
  if (values.empty()) return {};
  const bool is_all = target == Target::cpu && spec.coarse_on_cpu;
  if (is_percent(spec)) {
    for (std::int64_t value = 0; value <= spec.most; value += percent_step) values.push_back(value);
  } else if (!is_all) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const std::vector<std::int64_t> between = octaves(*low / 2, 2 * *high);
    values.insert(values.end(), between.begin(), between.end());
  }
  std::erase_if(values, [&](std::int64_t value) { return !fits(spec, value); });
  if (own != 0) values.push_back(own);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<FineAxis> fine_axes(const Design& design, const RowFacts& rows) {
  std::vector<FineAxis> axes;
  const Target target = find_target(design).value_or(Target::gpu);
  std::size_t index = 0;
  for_each_step(design, [&](const Step& step) {
    const Result<Arguments> arguments = check_arguments(step);
    CHECK(arguments.ok());
    const Operator& op = *find_operator(step.op);
    for (const ParameterSpec& spec : op.parameters) {
      if (!arguments->has(spec.name) || !is_for(spec, target)) continue;
      FineAxis axis{index, std::string(spec.name), axis_values(spec, rows, *arguments, target), 0};
      const auto own =
          std::find(axis.values.begin(), axis.values.end(), arguments->text(spec.name));
      if (axis.values.size() < 2) continue;
      CHECK(own != axis.values.end());
      axis.own = static_cast<std::size_t>(own - axis.values.begin());
      axes.push_back(std::move(axis));
    }
    ++index;
  });
  return axes;
}

CanonicalDesign make_design(const Design& design, std::span<const FineChoice> choices) {
  Design changed = design;
  std::vector<Step*> steps;
  for_each_step(changed, [&](Step& step) { steps.push_back(&step); });
  for (const FineChoice& choice : choices) {
    set_parameter(*steps[choice.axis->step], choice.axis->parameter,
                  choice.axis->values[choice.value]);
  }
  set_tied_parameters(changed);
  const Result<CanonicalDesign> canonical = CanonicalDesign::of(changed);
  CHECK(canonical.ok());
  return *canonical;
}

}  // namespace alphasparse
