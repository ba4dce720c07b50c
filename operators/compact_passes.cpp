#include "operators/compact_passes.h"

#include <algorithm>

#include "base/result.h"
#include "operators/catalogue.h"

namespace alphasparse {

namespace {

/// The value of a pass that does nothing: the last of its words, or no exceptions.
std::string_view off(std::string_view pass) {
  for (const ParameterSpec& spec : find_operator("compact")->parameters) {
    if (spec.name == pass) return spec.choices.empty() ? "0" : spec.choices.back();
  }
  CHECK(!"a pass that compact does not have");
  return {};
}

/// Whether every pass is off; exceptions are none without models.
bool is_idle(const Step& step) {
  const Result<Arguments> arguments = check_arguments(step);
  CHECK(arguments.ok());
  const auto passes = compact_passes();
  return std::all_of(passes.begin(), passes.end(), [&](std::string_view pass) {
    return pass == "exceptions" || arguments->text(pass) == off(pass);
  });
}

void turn_off(Step& step, std::string_view pass) {
  for (Parameter& given : step.parameters) {
    if (given.name != pass) continue;
    given.value = off(pass);
    return;
  }
  step.parameters.push_back({std::string(pass), std::string(off(pass))});
}

}  // namespace

std::vector<std::string_view> compact_passes() {
  std::vector<std::string_view> passes;
  for (const ParameterSpec& spec : find_operator("compact")->parameters)
    passes.push_back(spec.name);
  return passes;
}

Design with_compact(Design design, const Step& compact) {
  design = without_compact(std::move(design));
  for (std::size_t i = 0; i < design.steps.size(); ++i) {
    for (Design& branch : design.steps[i].branches) {
      branch = with_compact(std::move(branch), compact);
    }
    if (design.steps[i].op != "launch") continue;
    design.steps.insert(design.steps.begin() + static_cast<std::ptrdiff_t>(i), compact);
    break;
  }
  return design;
}

Design without_compact(Design design) {
  std::erase_if(design.steps, [](const Step& step) { return step.op == "compact"; });
  for (Step& step : design.steps) {
    for (Design& branch : step.branches) branch = without_compact(std::move(branch));
  }
  return design;
}

Design without_pass(Design design, std::string_view pass) {
  for (Step& step : design.steps) {
    for (Design& branch : step.branches) branch = without_pass(std::move(branch), pass);
    if (step.op == "compact") turn_off(step, pass);
  }
  std::erase_if(design.steps,
                [](const Step& step) { return step.op == "compact" && is_idle(step); });
  return design;
}

Design with_any_values(Design design) {
  design = without_pass(std::move(design), "values");
  // Only a whole matrix has mirror images, so that branches have no such step.
  std::erase_if(design.steps, [](const Step& step) { return step.op == "symmetric_half"; });
  return design;
}

bool takes_any_values(const Design& design) { return with_any_values(design) == design; }

}  // namespace alphasparse
