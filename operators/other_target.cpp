#include "operators/other_target.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "operators/catalogue.h"
#include "operators/parameter_grid.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

constexpr const char* warp_rows_count = "32";

struct Counterpart {
  std::string_view op, on_cpu;  // empty: the step is left out
};

/// Counterparts of operators that CPUs lack. Other operators that CPUs refuse have no counterpart.
constexpr std::array<Counterpart, 7> counterparts = {{{"block_rows", "warp_rows"},
                                                      {"block_sort_rows", ""},
                                                      {"block_pad", ""},
                                                      {"stage_x", ""},
                                                      {"symmetric_half", ""},
                                                      {"global_carry", "global_atomic"},
                                                      {"global_add", "global_atomic"}}};

bool has(const Design& chain, std::string_view op) {
  return std::any_of(chain.steps.begin(), chain.steps.end(),
                     [&](const Step& step) { return step.op == op; });
}

std::string value_of(const Step& step, std::string_view name) {
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

/// Whether rows lie side by side, a lane each.
bool is_gang_of_rows(const Design& chain) {
  return has(chain, "thread_rows") && has(chain, "interleave");
}

void to_cpu(Design& chain) {
  for (const auto& [op, on_cpu] : counterparts) {
    const bool rows = op == "block_rows";
    const bool takes_place =
        !on_cpu.empty() && (!rows || (is_gang_of_rows(chain) && !has_warps(chain)));
    if (!takes_place) {
      std::erase_if(chain.steps, [&, name = op](const Step& step) { return step.op == name; });
      continue;
    }
    for (Step& step : chain.steps) {
      if (step.op != op) continue;
      step = {std::string(on_cpu), {}, {}};
      if (rows) step.parameters.push_back({"rows", warp_rows_count});
    }
  }
  for (Step& step : chain.steps) {
    for (const ParameterSpec& spec : find_operator(step.op)->parameters) {
      const auto words = words_on(*find_operator(step.op), spec, Target::cpu);
      if (words.size() < spec.words.size() && !value_of(step, spec.name).empty()) {
        set_parameter(step, std::string(spec.name), std::string(words.front()));
      }
    }
    if (step.op == "compact") {
      set_parameter(step, "columns", "narrow");
      set_parameter(step, "structure", "narrow");
      if (value_of(step, "values") == "coded") set_parameter(step, "values", "full");
    }
    if (step.op == "thread_rows" && has_warps(chain)) step.parameters = {{"rows", "1"}};
  }
}

void to_gpu(Design& chain) {
  if (!is_gang_of_rows(chain)) return;
  for (Step& step : chain.steps) {
    if (step.op == "warp_rows") step.parameters = {{"rows", warp_rows_count}};
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
    for (Design& branch : step.branches) translate(branch, target);
  }
}

}  // namespace

std::optional<CanonicalDesign> design_for(const CanonicalDesign& design, Target target) {
  if (target_of(design.tree()) == target) return design;
  Design other = design.tree();
  translate(other, target);
  bool lacking = false;
  for_each_step(other, [&](const Step& step) { lacking = lacking || lacks(target, step.op); });
  if (lacking) return std::nullopt;
  Result<CanonicalDesign> spelled = CanonicalDesign::of(other);
  if (!spelled) return std::nullopt;
  return std::move(*spelled);
}

}  // namespace alphasparse
