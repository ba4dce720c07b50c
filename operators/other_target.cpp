#include "operators/other_target.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "operators/catalogue.h"
#include "operators/parameter_grid.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

constexpr const char* threads_of_warp = "32";

bool has(const Design& chain, std::string_view op) {
  return std::any_of(chain.steps.begin(), chain.steps.end(),
                     [&](const Step& step) { return step.op == op; });
}

std::string find_value(const Step& step, std::string_view name) {
  for (const Parameter& given : step.parameters) {
    if (given.name == name) return given.value;
  }
  return "";
}

bool has_warps(const Design& chain) {
  return std::any_of(chain.steps.begin(), chain.steps.end(), [](const Step& step) {
    return step.op.starts_with("warp_") && find_operator(step.op)->stage == Stage::mapping;
  });
}

/// Leaves out the parameters that the target does not have. Words of the other target give way.
void spell(Step& step, Target target) {
  const Operator& op = *find_operator(step.op);
  for (const ParameterSpec& spec : op.parameters) {
    const auto is_own = [&](const Parameter& given) { return given.name == spec.name; };
    if (!is_for(spec, target)) {
      std::erase_if(step.parameters, is_own);
      continue;
    }
    const auto choices = list_choices(spec, target);
    const std::string given = find_value(step, spec.name);
    const bool has_choice = given.empty() || choices.size() == spec.choices.size() ||
                            std::find(choices.begin(), choices.end(), given) != choices.end();
    if (!has_choice) set_parameter(step, std::string(spec.name), std::string(choices.front()));
  }
}

/// Whether lanes share each row.
bool is_gang_of_a_row(const Design& chain) {
  return std::any_of(chain.steps.begin(), chain.steps.end(), [](const Step& step) {
    return step.op == "thread_cols" && !find_value(step, "lanes").empty();
  });
}

/// Whether rows lie side by side, a lane each.
bool is_gang_of_rows(const Design& chain) {
  return has(chain, "thread_rows") && has(chain, "interleave");
}

void to_cpu(Design& chain) {
  const bool is_gang_alone = is_gang_of_rows(chain) && !has_warps(chain);
  std::erase_if(chain.steps, [&](const Step& step) {
    const auto& instead = find_operator(step.op)->on_cpu.instead;
    return instead && (instead->empty() || (step.op == "block_rows" && !is_gang_alone));
  });
  for (Step& step : chain.steps) {
    const auto& instead = find_operator(step.op)->on_cpu.instead;
    if (!instead) continue;
    const bool rows = step.op == "block_rows";
    step = {std::string(*instead), {}, {}};
    if (rows) step.parameters.push_back({"rows", threads_of_warp});
  }
  if (is_gang_of_a_row(chain))  // a core's lanes load side by side, and need no pads
    std::erase_if(chain.steps, [](const Step& step) { return step.op == "thread_pad"; });
  for (Step& step : chain.steps) {
    if (step.op == "compact") {
      set_parameter(step, "columns", "narrow");
      set_parameter(step, "structure", "narrow");
      if (find_value(step, "values") == "coded") set_parameter(step, "values", "full");
    }
    if (step.op == "thread_rows" && has_warps(chain)) step.parameters = {{"rows", "1"}};
  }
}

void to_gpu(Design& chain) {
  const bool has_gang_of_bands = has(chain, "thread_bands") && has(chain, "interleave");
  for (Step& step : chain.steps) {
    if (step.op == "warp_rows" && is_gang_of_rows(chain))
      step.parameters = {{"rows", threads_of_warp}};
    if (step.op == "warp_bands" && has_gang_of_bands)
      step.parameters = {{"bands", threads_of_warp}};
    if (step.op == "interleave" && has_gang_of_bands) set_parameter(step, "run", "1");
  }
}

void translate(Design& chain, Target target) {
  for (Step& step : chain.steps) {
    if (step.op != "launch") continue;
    step.parameters = target == Target::cpu ? std::vector<Parameter>{{"tasks", "bytes"}}
                                            : std::vector<Parameter>{{"threads", "256"}};
  }
  if (target == Target::cpu) {
    to_cpu(chain);
  } else {
    to_gpu(chain);
  }
  for (Step& step : chain.steps) {
    spell(step, target);
    for (Design& branch : step.branches) translate(branch, target);
  }
}

}  // namespace

std::optional<CanonicalDesign> convert_design(const CanonicalDesign& design, Target target) {
  if (find_target(design.tree()) == target) return design;
  Design other = design.tree();
  translate(other, target);
  bool lacking = false;
  for_each_step(other, [&](const Step& step) {
    lacking = lacking || (target == Target::cpu && !find_operator(step.op)->on_cpu.lacks.empty());
  });
  if (lacking) return std::nullopt;
  Result<CanonicalDesign> spelled = CanonicalDesign::of(other);
  if (!spelled) return std::nullopt;
  return std::move(*spelled);
}

}  // namespace alphasparse
