// command_texts: the texts of the command line about itself, for completion, the manual page and
// the pages of docs/commands.
#pragma once
#include <string>
#include <vector>

namespace alphasparse {

struct OptionText {
  std::vector<std::string> names;    ///< "-o", "--output"; of an operand its one name, "MATRIX"
  std::string value;                 ///< "T", "f32|f64"; empty: it takes none
  std::string doc;                   ///< one line
  std::vector<std::string> choices;  ///< that its value may be; empty: others too, or anything
  bool takes_file = false;           ///< its value is a path
  bool is_required = false;
  bool is_repeated = false;  ///< an operand: one or more
};

struct CommandText {
  std::string name;  ///< "tune", "db list"
  std::string doc;   ///< one line
  std::vector<OptionText> operands, options;
  std::string footer;                 ///< lines; may be empty
  std::vector<CommandText> commands;  ///< of a group: db
};

/// Every command, in the order of the help.
std::vector<CommandText> command_texts();

/// "alphasparse tune [OPTIONS] MATRIX...".
std::string usage_text(const CommandText& command);

}  // namespace alphasparse
