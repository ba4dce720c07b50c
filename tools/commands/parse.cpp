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
std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

/// The command that was chosen, with a blank behind each of its words: "tune ", "db list ".
std::string command_words(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return "";
  return chosen.front()->get_name() + " " + command_words(*chosen.front());
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

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Commands come first, word by word, and then their options. CLI11 would say only that some
/// command is required. `before` ends in a blank, or is empty.
void check_command_words(const CLI::App& app, const std::string& before,
                         const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (names.empty()) return;
  const std::string advice =
      fmt::format("{}; see alphasparse {}--help", fmt::join(names, ", "), before);
  if (arguments.empty()) throw Error(fmt::format("no command: {}", advice));
  const std::string& word = arguments.front();
  if (holds(option_names(app), word)) return;
  if (word.starts_with("-"))
    throw Error(fmt::format("'{}{}' is in the place of a command: {}", before, word, advice));
  if (!holds(names, word)) {
    std::error_code unknown;
    const bool is_file = before.empty() && std::filesystem::exists(word, unknown);
    throw Error(fmt::format("unknown command '{}{}'{}: {}", before, word,
                            is_file ? fmt::format(" (did you mean alphasparse tune {}?)", word)
                                    : did_you_mean(word, names),
                            advice));
  }
  check_command_words(*app.get_subcommand(word), before + word + " ",
                      {arguments.begin() + 1, arguments.end()});
}

/// "help tune" is "tune --help", and "version" is "--version".
std::vector<std::string> without_spoken_words(std::vector<std::string> words) {
  if (words.size() < 2) return words;
  if (words[1] == "help") {
    words.erase(words.begin() + 1);
    words.emplace_back("--help");
  }
  if (words[1] == "version") words[1] = "--version";
  return words;
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
    std::string word = argv[i];
    if (word == "--") break;
    word = word.substr(0, word.find('='));
    if (word.starts_with("--") && !holds(names, word)) return did_you_mean(word, names);
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
  std::vector<std::string> words;
  for (int i = 0; i < argc; ++i) {
    std::string word = argv[i];
    if (word.starts_with("-:")) word.replace(0, 1, standard_input);  // its member, no option
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::size_t first = equals == std::string::npos ? 0 : equals + 1;
    const std::string path = word.substr(first);
    const auto whole = without_tilde(path);
    if (!whole) {
      throw Error(
          fmt::format("{}: HOME, which ~ stands for, is not set; write the whole path", path));
    }
    words.push_back(word.substr(0, first) + whole->string());
  }
  return words;
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  CLI::App& app = line.app;
  const std::vector<std::string> words = without_spoken_words(without_tildes(argc, argv));
  check_command_words(app, "", {words.begin() + std::min(argc, 1), words.end()});
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    app.parse(argc, pointers.data());
  } catch (const CLI::CallForHelp&) {
    return TextCommand{wrapped_help(help_text(app))};
  } catch (const CLI::CallForVersion& version) {
    return TextCommand{std::string(version.what()) + "\n"};
  } catch (const CLI::ExtrasError&) {
    throw Error(fmt::format("{}{}; see alphasparse {}--help", extras_text(app.remaining(true)),
                            nearest_option_text(app, argc, argv), command_words(app)));
  } catch (const CLI::ArgumentMismatch& error) {
    throw Error(fmt::format("{}; see alphasparse {}--help", mismatch_text(one_line(error.what())),
                            command_words(app)));
  } catch (const CLI::ParseError& error) {
    throw Error(
        fmt::format("{}; see alphasparse {}--help", one_line(error.what()), command_words(app)));
  }
  return line.chosen();
}

}  // namespace alphasparse
