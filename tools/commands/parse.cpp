// parse: from the arguments to a command, or to one line that names their fault.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "base/result.h"
#include "runtime/matrices/matrix_names.h"
#include "runtime/system/files/home.h"
#include "tools/commands/command_line.h"
#include "tools/commands/help.h"

namespace alphasparse {

namespace {

/// CLI11's text as one line that does not end in a full stop.
std::string join_lines(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

/// The command that was chosen, with a blank behind each of its words: "tune ", "db list ".
std::string command_names(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return "";
  return chosen.front()->get_name() + " " + command_names(*chosen.front());
}

/// The help of the innermost command that was chosen.
std::string help_text(const CLI::App& app, const std::string& before = "alphasparse") {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return app.help();
  const CLI::App& inner = *chosen.front();
  const bool is_last = inner.get_subcommands().empty();
  return is_last ? inner.help(before) : help_text(inner, before + " " + inner.get_name());
}

/// The names of an app's options with their dashes: "-h", "--help".
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options({})) {
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool holds(const std::vector<std::string>& tokens, const std::string& token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

/// Commands come first, word by word, and then their options. CLI11 would say only that some
/// command is required. `before` ends in a blank, or is empty.
void check_commands(const CLI::App& app, const std::string& before,
                    const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (names.empty()) return;
  const std::string advice =
      fmt::format("{}; see alphasparse {}--help", fmt::join(names, ", "), before);
  if (arguments.empty()) throw Error(fmt::format("no command: {}", advice));
  const std::string& token = arguments.front();
  if (holds(option_names(app), token)) return;
  if (token.starts_with("-"))
    throw Error(fmt::format("'{}{}' is in the place of a command: {}", before, token, advice));
  if (!holds(names, token)) {
    std::error_code unknown;
    const bool is_file = before.empty() && std::filesystem::exists(token, unknown);
    throw Error(fmt::format("unknown command '{}{}'{}: {}", before, token,
                            is_file ? fmt::format(" (did you mean alphasparse tune {}?)", token)
                                    : did_you_mean(token, names),
                            advice));
  }
  check_commands(*app.get_subcommand(token), before + token + " ",
                 {arguments.begin() + 1, arguments.end()});
}

/// "help tune" is "tune --help", and "version" is "--version".
std::vector<std::string> without_spoken_options(std::vector<std::string> tokens) {
  if (tokens.size() < 2) return tokens;
  if (tokens[1] == "help") {
    tokens.erase(tokens.begin() + 1);
    tokens.emplace_back("--help");
  }
  if (tokens[1] == "version") tokens[1] = "--version";
  return tokens;
}

/// The innermost command that was chosen.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

/// For the first argument that begins with two dashes and is no option of the command.
std::string nearest_option_text(const CLI::App& app, int argc, const char* const* argv) {
  const std::vector<std::string> names = option_names(innermost(app));
  for (int i = 1; i < argc; ++i) {
    std::string token = argv[i];
    if (token == "--") break;
    token = token.substr(0, token.find('='));
    if (token.starts_with("--") && !holds(names, token)) return did_you_mean(token, names);
  }
  return "";
}

/// CLI11 would list them in reverse.
std::string extras_text(const std::vector<std::string>& extras) {
  return fmt::format("The following argument{} not expected: {}",
                     extras.size() > 1 ? "s were" : " was", fmt::join(extras, " "));
}

/// CLI11 counts the values of an option, which the user does not: an option is there twice, or has
/// no value. No option wants two.
std::string mismatch_text(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  if (text.find(": At Most 1 required") != std::string::npos)
    return fmt::format("{} is given more than once", name);
  if (text.ends_with(" missing")) return fmt::format("{} has no value behind it", name);
  return text;
}

/// The words, with HOME in the place of a tilde that a path begins with
/// (runtime/system/files/home.h).
std::vector<std::string> without_tildes(int argc, const char* const* argv) {
  std::vector<std::string> tokens;
  for (int i = 0; i < argc; ++i) {
    std::string token = argv[i];
    if (token.starts_with("-:")) token.replace(0, 1, standard_input);  // its member, no option
    const std::size_t equals = token.starts_with("--") ? token.find('=') : std::string::npos;
    const std::size_t first = equals == std::string::npos ? 0 : equals + 1;
    const std::string path = token.substr(first);
    const auto whole = without_tilde(path);
    if (!whole) {
      throw Error(
          fmt::format("{}: HOME, which ~ stands for, is not set; write the whole path", path));
    }
    tokens.push_back(token.substr(0, first) + whole->string());
  }
  return tokens;
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  CLI::App& app = line.app;
  const std::vector<std::string> tokens = without_spoken_options(without_tildes(argc, argv));
  check_commands(app, "", {tokens.begin() + std::min(argc, 1), tokens.end()});
  std::vector<const char*> pointers;
  for (const std::string& token : tokens) pointers.push_back(token.c_str());
  try {
    app.parse(argc, pointers.data());
  } catch (const CLI::CallForHelp&) {
    return TextCommand{wrapped_help(help_text(app))};
  } catch (const CLI::CallForVersion& version) {
    return TextCommand{std::string(version.what()) + "\n"};
  } catch (const CLI::ExtrasError&) {
    throw Error(fmt::format("{}{}; see alphasparse {}--help", extras_text(app.remaining(true)),
                            nearest_option_text(app, argc, argv), command_names(app)));
  } catch (const CLI::ArgumentMismatch& error) {
    throw Error(fmt::format("{}; see alphasparse {}--help", mismatch_text(join_lines(error.what())),
                            command_names(app)));
  } catch (const CLI::ParseError& error) {
    throw Error(
        fmt::format("{}; see alphasparse {}--help", join_lines(error.what()), command_names(app)));
  }
  return line.chosen();
}

}  // namespace alphasparse
