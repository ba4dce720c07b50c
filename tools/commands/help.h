// help: the text of --help - lines that fit the terminal, and examples at their end.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace alphasparse {

/// Gives the program and each of its commands two examples, which the manual has too.
void add_examples(CLI::App& app);

/// The text with lines that fit the terminal, or 100 columns where there is none. A broken line
/// goes on where the words behind its name begin.
std::string wrapped_help(const std::string& text);

}  // namespace alphasparse
