#include "tools/pages/design_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "generator/facts/layout.h"
#include "generator/layouts/positions.h"
#include "operators/catalogue.h"
#include "tools/pages/markup.h"
#include "tools/reports/show.h"

namespace alphasparse {

namespace {

constexpr const char* arrow = "<div class=\"arrow\">&darr;</div>\n";

/// "rows_permuted" is read as "rows permuted".
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// Facts that hold in `after` alone.
std::vector<std::string> new_facts(const Store& before, const Store& after) {
  const std::vector<std::string> known = store_facts(before);
  std::vector<std::string> facts;
  for (const std::string& fact : store_facts(after)) {
    if (std::find(known.begin(), known.end(), fact) == known.end()) facts.push_back(spaced(fact));
  }
  return facts;
}

/// The change of the store by a step; empty: none that has a name.
std::string effect_text(const Store& before, const Store& after) {
  std::vector<std::string> effects;
  if (const auto facts = new_facts(before, after); !facts.empty())
    effects.push_back(fmt::format("now {}", fmt::join(facts, ", ")));
  if (const auto facts = new_facts(after, before); !facts.empty())
    effects.push_back(fmt::format("no longer {}", fmt::join(facts, ", ")));
  const std::int64_t entries = stored_entries(after);
  if (entries != stored_entries(before)) {
    effects.push_back(fmt::format("{} entries stored, {} before", grouped(entries),
                                  grouped(stored_entries(before))));
  }
  return fmt::format("{}", fmt::join(effects, "; "));
}

std::string step_html(const Step& step, const std::string& effect) {
  const Operator& op = *find_operator(step.op);
  std::string parameters;
  for (const Parameter& parameter : step.parameters) {
    const ParameterSpec* const spec = find_parameter(op, parameter.name);
    parameters += fmt::format(" <code title=\"{}\">{}={}</code>", spec ? escaped(spec->doc) : "",
                              escaped(parameter.name), escaped(parameter.value));
  }
  return fmt::format(
      "<div class=\"step {}\"><b>{}</b>{}<br>{}{}</div>\n", stage_name(op.stage), escaped(step.op),
      parameters, escaped(op.doc),
      effect.empty() ? "" : fmt::format("<span class=\"effect\">{}</span>", escaped(effect)));
}

std::string failed_html(const std::string& reason) {
  return fmt::format("<div class=\"step\">does not apply here: {}</div>\n", escaped(reason));
}

std::string chain_html(Designer& designer, Prefix prefix, const Design& design) {
  std::string html = "<div class=\"design\">\n";
  for (std::size_t i = 0; i < design.steps.size(); ++i) {
    const Step& step = design.steps[i];
    if (i > 0) html += arrow;
    if (step.branches.empty()) {
      Result<Prefix> next = designer.after(prefix, step);
      if (!next) return html + failed_html(next.reason()) + "</div>\n";
      html += step_html(step, effect_text(prefix.store, next->store));
      prefix = std::move(*next);
      continue;
    }
    const Result<std::vector<Prefix>> parts = designer.inside(prefix, step);
    if (!parts) return html + failed_html(parts.reason()) + "</div>\n";
    html += step_html(step, fmt::format("{} parts, all in the same y", parts->size())) + arrow +
            "<div class=\"branches\">\n";
    for (std::size_t part = 0; part < parts->size(); ++part) {
      const Prefix& begin = (*parts)[part];
      html += fmt::format(
          "<div class=\"branch\"><p class=\"quiet\">Part {}: {}{} entries</p>\n", part + 1,
          begin.store.description.empty() ? "" : escaped(begin.store.description) + ", ",
          grouped(stored_entries(begin.store)));
      html += chain_html(designer, begin, step.branches[part]) + "</div>\n";
    }
    html += "</div>\n";
  }
  return html + "</div>\n";
}

}  // namespace

std::string design_graph_html(Designer& designer, const Design& design) {
  return chain_html(designer, designer.root(), design);
}

}  // namespace alphasparse
