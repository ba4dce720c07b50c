#include "operators/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "operators/all_operators.h"

namespace alphasparse {

const std::vector<const Operator*>& catalogue() {
  static const std::vector<const Operator*> all = {
      // converting
      &sort_rows,
      &sort_rows_in_bands,
      &compress,
      // mapping
      &block_rows,
      &warp_rows,
      &thread_rows,
      &thread_cols,
      &block_nnz,
      &warp_nnz,
      &thread_nnz,
      &block_merge_path,
      &warp_merge_path,
      &thread_merge_path,
      &thread_pad,
      &interleave,
      // implementing
      &thread_total,
      &thread_bitmap,
      &thread_merge,
      &warp_total,
      &warp_bitmap,
      &warp_segment,
      &shared_total,
      &shared_offset,
      &global_store,
      &global_add,
      &global_atomic,
      &global_carry,
      &launch,
  };
  return all;
}

const Operator* find_operator(std::string_view name) {
  for (const Operator* op : catalogue()) {
    if (op->name == name) return op;
  }
  return nullptr;
}

namespace {

Failure illegal(const Step& step, const std::string& why) {
  return {Status::pruned, step.op + ": " + why};
}

/// Empty, or why the text is no value of the parameter. An integer loses its leading zeros.
std::string check_value(const ParameterSpec& spec, std::string& text) {
  if (spec.least == 0 && spec.most == 0) {
    if (std::find(spec.words.begin(), spec.words.end(), text) != spec.words.end()) return "";
    return fmt::format("{}={} is not one of {}", spec.name, text, fmt::join(spec.words, ", "));
  }
  if (std::find(spec.words.begin(), spec.words.end(), text) != spec.words.end()) return "";
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < spec.least ||
      value > spec.most) {
    std::string why = fmt::format("{}={} is not an integer from {} to {}", spec.name, text,
                                  spec.least, spec.most);
    if (!spec.words.empty()) why += fmt::format(", or {}", fmt::join(spec.words, ", "));
    return why;
  }
  text = std::to_string(value);
  return "";
}

const ParameterSpec* find_parameter(const Operator& op, std::string_view name) {
  for (const ParameterSpec& spec : op.parameters) {
    if (spec.name == name) return &spec;
  }
  return nullptr;
}

std::string parameter_names(const Operator& op) {
  std::vector<std::string_view> names;
  for (const ParameterSpec& spec : op.parameters) names.push_back(spec.name);
  return names.empty() ? "no parameters" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Result<Arguments> check_arguments(const Step& step) {
  const Operator* op = find_operator(step.op);
  if (!op) return illegal(step, "no such operator; 'alphasparse operators' lists them");
  if (!step.branches.empty()) return illegal(step, "it takes no branches");
  Arguments arguments;
  for (Parameter parameter : step.parameters) {
    const ParameterSpec* spec = find_parameter(*op, parameter.name);
    if (!spec) {
      return illegal(
          step, fmt::format("no parameter '{}'; it has {}", parameter.name, parameter_names(*op)));
    }
    const std::string why = check_value(*spec, parameter.value);
    if (!why.empty()) return illegal(step, why);
    arguments.set(parameter.name, parameter.value);
  }
  int alternatives = 0, given = 0;
  for (const ParameterSpec& spec : op->parameters) {
    alternatives += spec.one_of;
    given += spec.one_of && arguments.has(spec.name);
    if (arguments.has(spec.name) || spec.one_of) continue;
    if (spec.fallback.empty()) return illegal(step, fmt::format("{}= is missing", spec.name));
    arguments.set(spec.name, std::string(spec.fallback));
  }
  if (alternatives > 0 && given != 1) {
    return illegal(step, fmt::format("give exactly one of {}", parameter_names(*op)));
  }
  return arguments;
}

Result<Design> canonical_design(const Design& design) {
  Design canonical;
  for (const Step& step : design.steps) {
    const Result<Arguments> arguments = check_arguments(step);
    if (!arguments) return arguments.failure();
    Step& spelled = canonical.steps.emplace_back();
    spelled.op = step.op;
    for (const ParameterSpec& spec : find_operator(step.op)->parameters) {
      if (!arguments->has(spec.name)) continue;
      const std::string& value = arguments->word(spec.name);
      if (value != spec.fallback) spelled.parameters.push_back({std::string(spec.name), value});
    }
  }
  return canonical;
}

}  // namespace alphasparse
