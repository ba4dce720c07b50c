// completion: scripts by which bash, zsh and fish complete this command line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/commands/command_texts.h"
#include "tools/commands/commands.h"

namespace alphasparse {

namespace {

/// Commands that are no groups: "tune", "db list".
std::vector<CommandText> leaves() {
  std::vector<CommandText> all;
  for (const CommandText& command : command_texts()) {
    if (command.commands.empty()) all.push_back(command);
    all.insert(all.end(), command.commands.begin(), command.commands.end());
  }
  return all;
}

std::string list_names(const std::vector<CommandText>& commands) {
  std::string names;
  for (const CommandText& command : commands)
    names += (names.empty() ? "" : " ") + command.name.substr(command.name.rfind(' ') + 1);
  return names;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

/// The branch of bash for one command: the values of the option before, else options and operands.
std::string bash_case(const CommandText& command) {
  std::string values, options;
  for (const OptionText& option : command.options) {
    options += (options.empty() ? "" : " ") + option.names.back();
    if (option.value.empty()) continue;
    const std::string patterns = fmt::format("{}", fmt::join(option.names, "|"));
    if (!option.choices.empty())
      values +=
          fmt::format("        {}) words=\"{}\" ;;\n", patterns, fmt::join(option.choices, " "));
    else
      values +=
          fmt::format("        {}) words= files={} ;;\n", patterns, option.takes_file ? 1 : 0);
  }
  bool files = false;
  std::string choices;
  for (const OptionText& operand : command.operands) {
    files = files || operand.takes_file;
    if (!operand.choices.empty()) choices = fmt::format("{}", fmt::join(operand.choices, " "));
  }
  return fmt::format(
      "    \"{}\")\n      case $before in\n{}        *)\n          words=\"{}\" files={}\n"
      "          [[ $word == -* ]] && words=\"{}\" files=0 ;;\n      esac ;;\n",
      command.name, values, choices, files ? 1 : 0, options);
}

std::string bash_script() {
  std::string cases;
  for (const CommandText& command : leaves()) cases += bash_case(command);
  std::string groups;
  for (const CommandText& command : command_texts()) {
    if (!command.commands.empty())
      groups += fmt::format(
          "  if [[ $command == {0} ]]; then\n    (( place > 2 )) && command=\"{0} "
          "${{COMP_WORDS[2]}}\"\n    (( place == 2 )) && words=\"{1}\"\n  fi\n",
          command.name, list_names(command.commands));
  }
  return fmt::format(
      "# Completion of alphasparse for bash, made by: alphasparse completion bash\n"
      "_alphasparse() {{\n"
      "  local place=$COMP_CWORD words= files=0 stem=\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  # A colon is a word of its own: emulated:h200 are three.\n"
      "  if [[ $word == : ]]; then\n"
      "    stem=$before: word= before=${{COMP_WORDS[COMP_CWORD-2]}}\n"
      "  elif [[ $before == : ]]; then\n"
      "    stem=${{COMP_WORDS[COMP_CWORD-2]}}: before=${{COMP_WORDS[COMP_CWORD-3]}}\n"
      "  fi\n"
      "  local command=${{COMP_WORDS[1]}}\n"
      "  (( place == 1 )) && command= words=\"{} --help --version\"\n"
      "{}"
      "  case $command in\n{}"
      "  esac\n"
      "  COMPREPLY=()\n"
      "  local one\n"
      "  for one in $words; do\n"
      "    [[ $one == \"$stem$word\"* ]] && COMPREPLY+=(\"${{one#\"$stem\"}}\")\n"
      "  done\n"
      "  (( files )) && {{ compopt -o filenames 2>/dev/null; mapfile -t -O ${{#COMPREPLY[@]}} "
      "COMPREPLY < <(compgen -f -- \"$word\"); }}\n"
      "  return 0\n"
      "}}\n"
      "complete -F _alphasparse alphasparse\n",
      list_names(command_texts()), groups, cases);
}

/// Text inside single quotes, for all three shells.
std::string quote(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string zsh_action(const OptionText& option) {
  if (!option.choices.empty())
    return fmt::format("({})",
                       replaced(fmt::format("{}", fmt::join(option.choices, " ")), ":", "\\:"));
  return option.takes_file ? "_files" : " ";
}

std::string zsh_arguments(const CommandText& command, const std::string& indent) {
  std::string text = indent + "_arguments -s";
  const auto plain = [](const std::string& doc) {
    return replaced(replaced(replaced(doc, "[", "("), "]", ")"), ":", "\\:");
  };
  for (const OptionText& option : command.options) {
    for (const std::string& name : option.names) {
      std::string spec = fmt::format("{}[{}]", name, plain(option.doc));
      if (!option.value.empty())
        spec += fmt::format(":{}:{}", plain(option.value), zsh_action(option));
      text += " \\\n" + indent + "  " + quote(spec);
    }
  }
  for (const OptionText& operand : command.operands) {
    text += " \\\n" + indent + "  " +
            quote(fmt::format("{}:{}:{}", operand.is_repeated ? "*" : "",
                              plain(operand.names.front()), zsh_action(operand)));
  }
  return text + "\n";
}

std::string zsh_names(const std::vector<CommandText>& commands) {
  std::string names;
  for (const CommandText& command : commands) {
    const std::string name = command.name.substr(command.name.rfind(' ') + 1);
    names += " \\\n      " + quote(name + ":" + replaced(command.doc, ":", "\\:"));
  }
  return names;
}

std::string zsh_script() {
  std::string cases;
  for (const CommandText& command : command_texts()) {
    cases += fmt::format("    {})\n", command.name);
    if (command.commands.empty()) {
      cases += zsh_arguments(command, "      ") + "      ;;\n";
      continue;
    }
    cases += fmt::format(
        "      if (( CURRENT == 2 )); then\n        names=({})\n        _describe command names\n"
        "        return\n      fi\n      shift words; (( CURRENT-- ))\n      case $words[1] in\n",
        zsh_names(command.commands));
    for (const CommandText& inner : command.commands) {
      cases +=
          fmt::format("        {})\n{}          ;;\n", inner.name.substr(inner.name.rfind(' ') + 1),
                      zsh_arguments(inner, "          "));
    }
    cases += "      esac\n      ;;\n";
  }
  return fmt::format(
      "#compdef alphasparse\n"
      "# Completion of alphasparse for zsh, made by: alphasparse completion zsh\n"
      "_alphasparse() {{\n"
      "  local -a names\n"
      "  if (( CURRENT == 2 )); then\n    names=({})\n    _describe command names\n    return\n  "
      "fi\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $words[1] in\n{}  esac\n"
      "}}\n"
      "if [[ $funcstack[1] == _alphasparse ]]; then _alphasparse \"$@\"; else compdef _alphasparse "
      "alphasparse; fi\n",
      zsh_names(command_texts()), cases);
}

std::string fish_option(const std::string& condition, const OptionText& option) {
  std::string line = fmt::format("complete -c alphasparse -n {} ", quote(condition));
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? "-l " + name.substr(2) + " " : "-s " + name.substr(1) + " ";
  if (!option.choices.empty())
    line += fmt::format("-x -a {} ", quote(fmt::format("{}", fmt::join(option.choices, " "))));
  else if (!option.value.empty())
    line += option.takes_file ? "-r -F " : "-x ";
  return line + "-d " + quote(option.doc) + "\n";
}

std::string fish_script() {
  std::string text =
      "# Completion of alphasparse for fish, made by: alphasparse completion fish\n"
      "complete -c alphasparse -f\n";
  const auto leaf = [&](const CommandText& command, const std::string& condition) {
    for (const OptionText& option : command.options) text += fish_option(condition, option);
    for (const OptionText& operand : command.operands) {
      if (operand.choices.empty() && !operand.takes_file) continue;
      text += fmt::format("complete -c alphasparse -n {} {}\n", quote(condition),
                          operand.choices.empty()
                              ? "-F"
                              : "-a " + quote(fmt::format("{}", fmt::join(operand.choices, " "))));
    }
  };
  for (const CommandText& command : command_texts()) {
    text += fmt::format("complete -c alphasparse -n __fish_use_subcommand -a {} -d {}\n",
                        command.name, quote(command.doc));
    // The first word decides: db show is no show.
    const std::string chosen = fmt::format(
        "test (count (commandline -opc)) -gt 1; and test (commandline -opc)[2] = {}", command.name);
    leaf(command, chosen);
    for (const CommandText& inner : command.commands) {
      const std::string name = inner.name.substr(inner.name.rfind(' ') + 1);
      text += fmt::format("complete -c alphasparse -n {} -a {} -d {}\n",
                          quote(chosen + "; and test (count (commandline -opc)) -eq 2"), name,
                          quote(inner.doc));
      leaf(inner, fmt::format("{}; and test (count (commandline -opc)) -gt 2; and test "
                              "(commandline -opc)[3] = {}",
                              chosen, name));
    }
  }
  return text;
}

}  // namespace

void run_completion(const CompletionCommand& command) {
  fmt::print("{}", command.shell == "bash"  ? bash_script()
                   : command.shell == "zsh" ? zsh_script()
                                            : fish_script());
}

}  // namespace alphasparse
