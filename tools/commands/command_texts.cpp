#include "tools/commands/command_texts.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/emulated/gpu_models.h"
#include "tools/commands/command_line.h"

namespace alphasparse {

namespace {

/// "f32|f64" in words; none where one of them stands for others, as NAME does.
std::vector<std::string> list_choices(const std::string& value) {
  std::vector<std::string> choices;
  for (std::size_t first = 0; first <= value.size();) {
    const std::size_t end = std::min(value.find('|', first), value.size());
    choices.push_back(value.substr(first, end - first));
    first = end + 1;
  }
  const bool fit = std::all_of(choices.begin(), choices.end(), [](const std::string& choice) {
    return !choice.empty() && std::none_of(choice.begin(), choice.end(),
                                           [](unsigned char c) { return std::isupper(c) != 0; });
  });
  return fit && choices.size() > 1 ? choices : std::vector<std::string>{};
}

std::vector<std::string> device_choices() {
  std::vector<std::string> choices = {"auto", "cuda", "hip", "all", "cpu", "cpu:1"};
  for (const GpuModel& gpu : gpu_models()) choices.push_back("emulated:" + gpu.name);
  return choices;
}

std::vector<std::string> design_choices() {
  std::vector<std::string> choices;
  for (const NamedDesign& design : named_designs()) choices.emplace_back(design.name);
  return choices;
}

std::vector<std::string> operator_choices() {
  std::vector<std::string> choices;
  for (const Operator* op : catalogue()) choices.emplace_back(op->name);
  return choices;
}

bool means_path(const std::string& value) {
  constexpr std::array<const char*, 8> paths = {"FILE",   "DIR",    "PATH",  "FOLDER",
                                                "MATRIX", "CORPUS", "OTHER", "MATRIX|NAME"};
  return std::find(paths.begin(), paths.end(), value) != paths.end();
}

OptionText option_text(const std::string& command, const CLI::Option& option) {
  OptionText text;
  const bool is_operand = option.get_positional();
  if (is_operand) {
    text.names = {option.get_name(true)};
    text.value = text.names.front();
    text.is_repeated = option.get_items_expected_max() > 1;
  } else {
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    if (option.get_items_expected_max() > 0) text.value = option.get_type_name();
  }
  text.doc = option.get_description();
  text.is_required = option.get_required();
  text.takes_file = means_path(text.value);
  text.choices = list_choices(is_operand ? option.get_type_name() : text.value);
  const std::string& name = text.names.back();
  if (name == "--device" && !command.starts_with("db")) text.choices = device_choices();
  if (name == "--design" || name == "--designs" || command == "designs")
    text.choices = text.value.empty() ? text.choices : design_choices();
  if (command == "operators" && is_operand) text.choices = operator_choices();
  return text;
}

CommandText command_text(const std::string& before, const CLI::App& app) {
  CommandText text;
  text.name = before + app.get_name();
  text.doc = app.get_description();
  text.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    std::vector<OptionText>& list = option->get_positional() ? text.operands : text.options;
    list.push_back(option_text(text.name, *option));
  }
  for (const CLI::App* command : app.get_subcommands({}))
    text.commands.push_back(command_text(text.name + " ", *command));
  return text;
}

}  // namespace

std::vector<CommandText> command_texts() {
  const CommandLine line;
  std::vector<CommandText> texts;
  for (const CLI::App* command : line.app.get_subcommands({}))
    texts.push_back(command_text("", *command));
  return texts;
}

std::string usage_text(const CommandText& command) {
  std::string text = "alphasparse " + command.name;
  if (!command.commands.empty()) return text + " COMMAND [OPTIONS]";
  text += " [OPTIONS]";
  for (const OptionText& operand : command.operands) {
    const std::string name = operand.names.front() + (operand.is_repeated ? "..." : "");
    text += operand.is_required ? " " + name : " [" + name + "]";
  }
  return text;
}

}  // namespace alphasparse
