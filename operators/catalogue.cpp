#include "operators/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/nearest.h"
#include "operators/all_operators.h"
#include "operators/named_designs.h"

namespace alphasparse {

const std::vector<const Operator*>& catalogue() {
  static const std::vector<const Operator*> all = {
      // converting
      &permute,
      &sort_rows,
      &sort_rows_in_bands,
      &reorder,
      &symmetric_half,
      &compress,
      &bin_rows,
      &row_split,
      &col_split,
      &ell_peel,
      &diagonal_peel,
      &dense_block_peel,
      &bitmap_block_peel,
      // mapping
      &block_rows,
      &warp_rows,
      &warp_bands,
      &thread_rows,
      &thread_bands,
      &block_cols,
      &warp_cols,
      &thread_cols,
      &block_nnz,
      &warp_nnz,
      &thread_nnz,
      &block_merge_path,
      &warp_merge_path,
      &thread_merge_path,
      &block_sort_rows,
      &thread_pad,
      &warp_diagonals,
      &block_pad,
      &warp_pad,
      &interleave,
      &stage_x,
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
      &compact,
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

const ParameterSpec* find_parameter(const Operator& op, std::string_view name) {
  for (const ParameterSpec& spec : op.parameters) {
    if (spec.name == name) return &spec;
  }
  return nullptr;
}

namespace {

Failure illegal(const Step& step, const std::string& reason) {
  return {Status::pruned, step.op + ": " + reason};
}

std::string check_list(const ParameterSpec& list, std::string& text);

/// Empty, or why the text is no value of the parameter. An integer loses its leading zeros.
std::string check_value(const ParameterSpec& spec, std::string& text) {
  if (spec.least == 0 && spec.most == 0) {
    if (std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end()) return "";
    return fmt::format("{}={} is not one of {}", spec.name, text, fmt::join(spec.choices, ", "));
  }
  if (std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end()) return "";
  if (spec.is_list) return check_list(spec, text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < spec.least ||
      value > spec.most) {
    std::string reason = fmt::format("{}={} is not an integer from {} to {}", spec.name, text,
                                     spec.least, spec.most);
    if (!spec.choices.empty()) reason += fmt::format(", or {}", fmt::join(spec.choices, ", "));
    return reason;
  }
  text = std::to_string(value);
  return "";
}

std::string check_list(const ParameterSpec& list, std::string& text) {
  ParameterSpec spec = list;
  spec.is_list = false;
  std::vector<std::string> entries;
  std::istringstream rest(text);
  for (std::string entry; std::getline(rest, entry, ',');) {
    const std::string reason = check_value(spec, entry);
    if (!reason.empty()) return reason;
    if (!entries.empty() && std::stoll(entry) <= std::stoll(entries.back())) {
      return fmt::format("{}={} does not ascend", spec.name, text);
    }
    entries.push_back(entry);
  }
  text = fmt::format("{}", fmt::join(entries, ","));
  return entries.empty() ? fmt::format("{}= is empty", spec.name) : "";
}

/// All of them, or those of which one must be given.
std::string parameter_names(const Operator& op, bool alternatives = false) {
  std::vector<std::string_view> names;
  for (const ParameterSpec& spec : op.parameters) {
    if (spec.one_of || !alternatives) names.push_back(spec.name);
  }
  return names.empty() ? "no parameters" : fmt::format("{}", fmt::join(names, ", "));
}

/// The names of operators and of named designs.
std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const Operator* const op : catalogue()) names.emplace_back(op->name);
  for (const NamedDesign& design : named_designs()) names.emplace_back(design.name);
  return names;
}

}  // namespace

Result<Arguments> check_arguments(const Step& step) {
  const Operator* op = find_operator(step.op);
  if (!op) {
    return illegal(step, fmt::format("no such operator{}; 'alphasparse operators' lists them, and "
                                     "'alphasparse designs' the names of whole lines",
                                     did_you_mean(step.op, known_names())));
  }
  if (!op->branches && !step.branches.empty()) return illegal(step, "it takes no branches");
  Arguments arguments;
  for (Parameter parameter : step.parameters) {
    const ParameterSpec* spec = find_parameter(*op, parameter.name);
    if (!spec) {
      return illegal(
          step, fmt::format("no parameter '{}'; it has {}", parameter.name, parameter_names(*op)));
    }
    const std::string reason = check_value(*spec, parameter.value);
    if (!reason.empty()) return illegal(step, reason);
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
    return illegal(step, fmt::format("give exactly one of {}", parameter_names(*op, true)));
  }
  if (op->branches) {
    const auto count = static_cast<std::size_t>(op->branches(arguments));
    if (step.branches.size() != count) {
      return illegal(
          step, fmt::format("it makes {} branches, but {} follow{}", count, step.branches.size(),
                            step.branches.empty() ? "; put each in { } behind it" : " in { }"));
    }
  }
  return arguments;
}

Result<Step> canonical_step(const Step& step) {
  const Result<Arguments> arguments = check_arguments(step);
  if (!arguments) return arguments.failure();
  Step spelled{step.op, {}, step.branches};
  for (const ParameterSpec& spec : find_operator(step.op)->parameters) {
    if (!arguments->has(spec.name)) continue;
    const std::string& value = arguments->text(spec.name);
    if (value != spec.fallback) spelled.parameters.push_back({std::string(spec.name), value});
  }
  return spelled;
}

Result<Design> canonical_design(const Design& design) {
  Design canonical;
  for (const Step& step : design.steps) {
    const Result<Step> spelled = canonical_step(step);
    if (!spelled) return spelled.failure();
    canonical.steps.push_back(*spelled);
    for (Design& branch : canonical.steps.back().branches) {
      const Result<Design> inner = canonical_design(branch);
      if (!inner) return inner.failure();
      branch = *inner;
    }
  }
  return canonical;
}

}  // namespace alphasparse
