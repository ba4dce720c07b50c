// lists: operators, designs and devices.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "base/result.h"
#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "runtime/device/device.h"
#include "tools/commands/commands.h"
#include "tools/console/print.h"
#include "tools/reports/report.h"

namespace alphasparse {

namespace {

/// The entries of that name, or all where it is empty. Throws Error where there is none.
template <class Entry, class NameOf>
std::vector<Entry> chosen(const std::vector<Entry>& all, const std::string& name,
                          std::string_view what, NameOf get_name) {
  if (name.empty()) return all;
  std::vector<std::string> names;
  for (const Entry& entry : all) {
    if (get_name(entry) == name) return {entry};
    names.emplace_back(get_name(entry));
  }
  throw Error(unknown_name(what, name, names));
}

std::string range_text(const ParameterSpec& parameter) {
  std::string text;
  for (const std::string_view choice : parameter.choices)
    text += fmt::format("{}{}", text.empty() ? "" : "|", choice);
  if (text.empty() && parameter.most > 0)
    text = fmt::format("{} to {}", parameter.least, parameter.most);
  if (!parameter.fallback.empty()) text += fmt::format(", default {}", parameter.fallback);
  return text;
}

void print_operator(const Operator& op) {
  fmt::print("{}  ({}; {})\n  {}\n", op.name, stage_name(op.stage), op.paper, op.doc);
  for (const ParameterSpec& parameter : op.parameters)
    fmt::print("  {}=  {} ({})\n", parameter.name, parameter.doc, range_text(parameter));
}

}  // namespace

void run_operators(const OperatorsCommand& command) {
  const auto operators =
      chosen(catalogue(), command.name, "operator", [](const Operator* op) { return op->name; });
  if (command.json) {
    fmt::print("{}", operators_json(operators));
  } else if (!command.name.empty()) {
    print_operator(*operators.front());
  } else {
    for (const Operator* op : operators)
      fmt::print("{:<13} {:<20} {}\n", stage_name(op->stage), op->name, op->doc);
  }
}

void run_designs(const DesignsCommand& command) {
  const auto designs = chosen(named_designs(), command.name, "design",
                              [](const NamedDesign& named) { return named.name; });
  if (command.json) {
    fmt::print("{}", designs_json(designs));
    return;
  }
  for (const NamedDesign& named : designs) {
    fmt::print("{}\n  {}\n", named.name,
               named.line.empty() ? "it does not exist on a GPU" : named.line);
    fmt::print("  on a CPU: {}\n", named.cpu.empty() ? "it does not exist there" : named.cpu);
    if (!command.name.empty()) fmt::print("  {}\n", named.doc);
  }
}

void run_devices(const DevicesCommand& command) {
  const std::vector<DeviceListing> devices = list_devices();
  if (command.json) {
    print_report(true, devices_json(devices));
    return;
  }
  for (const DeviceListing& device : devices)
    print_report(false, fmt::format("{:<18} {:<9} {}\n", device.name,
                                    device.available ? "available" : "missing", device.text));
}

}  // namespace alphasparse
